<?php

declare(strict_types=1);

use Bailing\Connect\Canonical;

const VECTORS = __DIR__ . '/../../vectors';

/** Expected results of all vector files for PHP, by id. */
function expectedResults(): array
{
    $expected = [];
    foreach (glob(VECTORS . '/*.json') ?: [] as $path) {
        $file = json_decode((string) file_get_contents($path), true);
        if (in_array('php', $file['parties'] ?? [], true)) {
            same($file['count'], count($file['cases']), basename($path));
            foreach ($file['cases'] as $case) {
                $expected[$case['id']] = $case['expected']['result'];
            }
        }
    }
    return $expected;
}

/** Compares the report of a runner with what the vectors expect. */
function comparesToVectors(string $output): void
{
    $report = json_decode($output, true);
    $expected = expectedResults();
    holds(count($expected) >= 150, 'only ' . count($expected) . ' vectors');
    same(['php', PHP_VERSION, count($expected)], [$report['language'], $report['version'], $report['total']]);
    foreach ($expected as $id => $result) {
        same($result, $report['results'][$id] ?? 'not answered', $id);
    }
}

/** A folder that is gone when the tests end. */
function scratch(): string
{
    $folder = sys_get_temp_dir() . '/bailing-php-' . bin2hex(random_bytes(6));
    mkdir($folder);
    register_shutdown_function(function () use ($folder): void {
        $all = new RecursiveIteratorIterator(new RecursiveDirectoryIterator($folder, FilesystemIterator::SKIP_DOTS), RecursiveIteratorIterator::CHILD_FIRST);
        foreach ($all as $entry) {
            $entry->isDir() && !$entry->isLink() ? rmdir($entry->getPathname()) : unlink($entry->getPathname());
        }
        rmdir($folder);
    });
    return $folder;
}

/** Copies what a user gets: no tests. */
function copyOfPackage(): string
{
    $folder = scratch();
    foreach (['', '/src', '/php8'] as $sub) {
        @mkdir($folder . $sub);
        foreach (glob(__DIR__ . '/..' . $sub . '/*.{php,json}', GLOB_BRACE) ?: [] as $file) {
            copy($file, $folder . $sub . '/' . basename($file));
        }
    }
    return $folder;
}

test('all shared vectors get the expected answer, and standard error stays empty', function (): void {
    list($code, $out, $err) = ran([PHP_BINARY, '-d', 'display_errors=stderr', __DIR__ . '/../vectors-run.php', VECTORS]);
    same([0, ''], [$code, $err]);
    comparesToVectors($out);
});

test('the vectors pass without any extension beyond hash, json and pcre, and with odd ini values', function (): void {
    list($code, $out, $err) = ran([PHP_BINARY, '-n', '-d', 'serialize_precision=4', '-d', 'precision=3', '-d', 'display_errors=stderr', __DIR__ . '/../vectors-run.php', VECTORS]);
    same([0, ''], [$code, $err]);
    comparesToVectors($out);
});

test('a copy of the folder elsewhere answers from the copy', function (): void {
    $copy = copyOfPackage();
    $gate = (string) file_get_contents($copy . '/src/Verify.php');
    file_put_contents($copy . '/src/Verify.php', str_replace('< $window;', '<= $window;', $gate, $changed));
    same(1, $changed);
    list($code, $out) = ran([PHP_BINARY, $copy . '/vectors-run.php', VECTORS]);
    same([0, 'ok'], [$code, json_decode($out, true)['results']['tool-call/window-300-old']], 'the planted fault of the copy must show');
});

test('the runner says how it is called when the folder is missing', function (): void {
    list($code, $out, $err) = ran([PHP_BINARY, __DIR__ . '/../vectors-run.php', '/no/such/folder']);
    same([2, ''], [$code, $out]);
    holds(strpos($err, 'usage:') === 0, $err);
});

test('the single-file example agrees with the vectors and denies by default', function (): void {
    $file = __DIR__ . '/../../../docs/examples/bailing-tool-verify.php';
    $out = runs([PHP_BINARY, $file]);
    holds(preg_match('/: [1-9][0-9]{2,} vectors, 0 wrong\n\z/', $out) === 1, $out);
    $server = new Server($file, ['BAILING_SECRET' => 's']);
    try {
        $target = '/anything?x=1';
        $denied = sent($server, 'POST', $target, signedHeaders('s', 'POST', $target, '{}', ['subject' => 'root', 'job' => 'j']), '{}');
        same([403, '{"error":"not_authorized"}'], [$denied['status'], $denied['body']]);
        same(401, sent($server, 'POST', $target, signedHeaders('other', 'POST', $target, '{}'), '{}')['status']);
        same('', $server->complaints());
    } finally {
        $server->stop();
    }
});

test('the example service of the README verifies, authorises and runs a refund once', function (): void {
    $env = ['BAILING_SECRET' => 'secret-of-the-readme', 'BAILING_DSN' => 'sqlite:' . scratch() . '/once.sqlite'];
    $server = new Server(__DIR__ . '/../examples/service.php', $env);
    $call = function (string ...$arguments) use ($server, $env): string {
        return runs(array_merge([PHP_BINARY, __DIR__ . '/../examples/call.php', $server->address], $arguments), $env);
    };
    try {
        $first = $call('shop-1:anna', '300');
        holds(preg_match('/^200 \{"refunded":300,"order_no":"A-1001","by":"shop-1:anna","refund_id":"[0-9a-f]{16}"\}\n\z/', $first) === 1, $first);
        same($first, $call('shop-1:anna', '300'), 'the second call gets the first answer');
        foreach ([['shop-1:anna', '501'], ['shop-1:anna', '-1'], ['shop-1:bob', '300'], ['', '300']] as $arguments) {
            holds(strpos($call(...$arguments), '403 {"error":"not_authorized"') === 0, implode(' ', $arguments));
        }
        holds(strpos($call('shop-1:anna', '300', 'wrong-secret'), '401 {"error":"bad_signature"') === 0, 'another secret');
        same(404, sent($server, 'GET', '/orders')['status']);
        $spec = sent($server, 'GET', '/.well-known/bailing/tools.json', signedHeaders('secret-of-the-readme', 'GET', '/.well-known/bailing/tools.json'));
        same('order_refund', json_decode($spec['body'], true)['paths']['/orders/{order_no}/refund']['post']['operationId']);
        same('', $server->complaints());
    } finally {
        $server->stop();
    }
});

test('composer installs the package from its folder and the classes really load from there', function (): void {
    list($missing) = ran(['sh', '-c', 'command -v composer']);
    if ($missing !== 0) {
        holds(getenv('CI') !== 'true', 'composer is missing in CI: apt-get install composer');
        echo "composer path install: skipped, because composer is not installed\n";
        return;
    }
    $project = scratch();
    $package = ['type' => 'path', 'url' => copyOfPackage(), 'options' => ['symlink' => false, 'versions' => ['bailing/connect' => '0.1.0']]];
    $composer = ['repositories' => [$package, ['packagist' => false]], 'require' => ['bailing/connect' => '^0.1']];
    file_put_contents($project . '/composer.json', (string) json_encode($composer));
    $env = ['COMPOSER_HOME' => $project . '/home', 'COMPOSER_DISABLE_NETWORK' => '1', 'COMPOSER_ALLOW_SUPERUSER' => '1'];
    runs(['composer', 'install', '--no-interaction', '--no-progress', '--optimize-autoloader', '--working-dir=' . $project], $env);
    $code = 'require "vendor/autoload.php"; echo json_encode([Bailing\Connect\Canonical::argsHash([]), class_exists("Bailing\Connect\AiTool"),'
        . ' (new ReflectionClass("Bailing\Connect\SpecServer"))->getFileName()]);';
    list($hash, $hasAttributes, $file) = json_decode(runs([PHP_BINARY, '-r', $code], [], $project), true);
    same([Canonical::argsHash([]), PHP_VERSION_ID >= 80000], [$hash, $hasAttributes]);
    holds(strpos((string) realpath($file), (string) realpath($project) . '/vendor/bailing/connect/src/') === 0, $file);
});

test('the core is PHP 7.2 syntax by a parser set to 7.2, which refuses every newer form it is shown', function (): void {
    $out = runs(['node', __DIR__ . '/../syntax-72.mjs']);
    holds(preg_match('/^php 7\.2 syntax: ([0-9]+) files, ([0-9]+) samples, 0 findings\n\z/', $out, $found) === 1 && $found[1] >= 30 && $found[2] >= 70, $out);
});

test('the autoloader leaves other names alone and takes no path from a class name', function (): void {
    foreach (['Other\\Thing', 'Bailing\\Connect\\NoSuchClass', 'Bailing\\Connect\\..\\tests\\lib', "Bailing\\Connect\\Verify\n", 'Bailing\\Connect\\Sub\\Verify'] as $class) {
        holds(!class_exists($class), $class);
    }
});
