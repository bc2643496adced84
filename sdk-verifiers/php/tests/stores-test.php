<?php

declare(strict_types=1);

use Bailing\Connect\Idempotency;
use Bailing\Connect\IdempotencyStore;
use Bailing\Connect\MemoryIdempotencyStore;
use Bailing\Connect\MemoryReplayStore;
use Bailing\Connect\NotApplied;
use Bailing\Connect\PdoIdempotencyStore;
use Bailing\Connect\PdoReplayStore;

function sqlite(string $file): PDO
{
    return new PDO('sqlite:' . $file, null, null, [PDO::ATTR_ERRMODE => PDO::ERRMODE_EXCEPTION, PDO::ATTR_TIMEOUT => 10]);
}

function storeFile(): string
{
    $file = (string) tempnam(sys_get_temp_dir(), 'bailing');
    register_shutdown_function(function () use ($file): void {
        @unlink($file);
    });
    return $file;
}

/** Every store under one name. @return array<string,IdempotencyStore> */
function idempotencyStores(): array
{
    $pdo = new PdoIdempotencyStore(sqlite(storeFile()));
    $pdo->createTable();
    $pdo->createTable();
    return ['memory' => new MemoryIdempotencyStore(), 'sqlite' => $pdo];
}

function passed(string $key = 'a', string $content = 'c'): array
{
    return ['idempotencyKey' => str_repeat($key, 64), 'contentHash' => hash('sha256', $content)];
}

test('a handler runs once per key and its first answer is given again', function (): void {
    foreach (idempotencyStores() as $name => $store) {
        $runs = 0;
        $once = new Idempotency($store);
        $handler = function () use (&$runs): array {
            $runs++;
            return ['refund' => $runs, 'note' => 'für', 'ratio' => 0.1, 'none' => null];
        };
        $first = $once->run(passed(), $handler);
        $second = $once->run(passed(), $handler);
        same([true, 200, false, 1], [$first['ok'], $first['code'], $first['repeated'], $runs], $name);
        same([true, 200, true], [$second['ok'], $second['code'], $second['repeated']], $name);
        same($first['answer'], $second['answer'], $name);
        same(false, $once->run(passed('b'), $handler)['repeated'], $name);
        same(2, $runs, $name);
    }
});

test('the same key with other content is refused and nothing runs', function (): void {
    foreach (idempotencyStores() as $name => $store) {
        $once = new Idempotency($store);
        $once->run(passed(), 'time');
        $other = $once->run(passed('a', 'other'), function (): void {
            throw new LogicException('it ran');
        });
        same([false, 422, 'idempotency_other_content', null], [$other['ok'], $other['code'], $other['error'], $other['answer']], $name);
    }
});

test('a second call while the first runs is refused', function (): void {
    foreach (idempotencyStores() as $name => $store) {
        $once = new Idempotency($store);
        $inner = null;
        $once->run(passed(), function () use ($once, &$inner): int {
            $inner = $once->run(passed(), 'time');
            return 1;
        });
        same([409, 'idempotency_running'], [$inner['code'], $inner['error']], $name);
    }
});

test('after a failure the key stays closed until it is released, unless certainly nothing was done', function (): void {
    foreach (idempotencyStores() as $name => $store) {
        $once = new Idempotency($store);
        thrown(function () use ($once): void {
            $once->run(passed(), function (): void {
                throw new RuntimeException('half way');
            });
        });
        same([409, 'idempotency_unknown'], array_values(array_intersect_key($once->run(passed(), 'time'), ['code' => 0, 'error' => 0])), $name);
        $store->release(passed()['idempotencyKey']);
        same(true, $once->run(passed(), 'time')['ok'], $name);
        $store->release(passed()['idempotencyKey']);
        same(true, $once->run(passed(), 'time')['repeated'], $name . ': an answered key is not released');
        same('nothing', thrown(function () use ($once): void {
            $once->run(passed('d'), function (): void {
                throw new NotApplied('nothing');
            });
        })->getMessage(), $name);
        same(true, $once->run(passed('d'), 'time')['ok'], $name);
    }
});

test('a call without a well-formed key is refused', function (): void {
    $once = new Idempotency(new MemoryIdempotencyStore());
    foreach ([[], ['idempotencyKey' => ''] + passed(), ['idempotencyKey' => str_repeat('A', 64)] + passed(), ['idempotencyKey' => str_repeat('a', 64) . "\n"] + passed(),
        ['contentHash' => ''] + passed(), ['idempotencyKey' => ['x']] + passed()] as $given) {
        $answer = $once->run($given, 'time');
        same([400, 'idempotency_key_missing'], [$answer['code'], $answer['error']]);
    }
});

test('of several processes that claim one key at once exactly one runs the handler', function (): void {
    $file = storeFile();
    (new PdoIdempotencyStore(sqlite($file)))->createTable();
    (new PdoReplayStore(sqlite($file)))->createTable();
    $script = 'require $argv[1]; $pdo = new PDO("sqlite:" . $argv[2], null, null, [PDO::ATTR_ERRMODE => PDO::ERRMODE_EXCEPTION, PDO::ATTR_TIMEOUT => 20]);'
        . ' while (microtime(true) < (float) $argv[3]) { usleep(200); }'
        . ' $once = new Bailing\Connect\Idempotency(new Bailing\Connect\PdoIdempotencyStore($pdo)); $replay = new Bailing\Connect\PdoReplayStore($pdo); $out = [];'
        . ' for ($i = 0; $i < 10; $i++) { $key = hash("sha256", "k" . $i); $ran = 0;'
        . ' $once->run(["idempotencyKey" => $key, "contentHash" => $key], function () use (&$ran) { $ran = 1; return 1; });'
        . ' $out[] = $ran . ($replay->remember($key, 1000, 1600) ? "1" : "0"); } echo implode(",", $out);';
    $outputs = [];
    $start = (string) (microtime(true) + 0.6);
    $running = [];
    for ($p = 0; $p < 4; $p++) {
        $line = implode(' ', array_map('escapeshellarg', [PHP_BINARY, '-r', $script, __DIR__ . '/../autoload.php', $file, $start]));
        $running[] = popen($line . ' 2>&1', 'r');
    }
    foreach ($running as $pipe) {
        $outputs[] = explode(',', (string) stream_get_contents($pipe));
        pclose($pipe);
    }
    for ($i = 0; $i < 10; $i++) {
        $ran = array_map('strval', array_column($outputs, $i));
        same([1, 1], [array_sum(array_map('intval', array_map(function (string $pair): string {
            return $pair[0];
        }, $ran))), array_sum(array_map('intval', array_map(function (string $pair): string {
            return $pair[1];
        }, $ran)))], 'key ' . $i . ': ' . implode(' ', $ran));
    }
});

test('the replay stores remember until the given second and forget what is over', function (): void {
    $pdo = sqlite(storeFile());
    $table = new PdoReplayStore($pdo);
    $table->createTable();
    foreach ([new MemoryReplayStore(), $table] as $store) {
        $key = str_repeat('f', 64);
        same([true, false, false, true], [$store->remember($key, 100, 700), $store->remember($key, 100, 700), $store->remember($key, 699, 1299), $store->remember($key, 700, 1300)]);
        for ($i = 0; $i < 1500; $i++) {
            $store->remember(hash('sha256', (string) $i), 2000 + $i, 2010 + $i);
        }
        same(true, $store->remember(hash('sha256', '0'), 4000, 4600));
    }
    holds((int) $pdo->query('SELECT COUNT(*) FROM bailing_replay')->fetchColumn() < 20, 'old keys were not deleted');
});

test('a connection that fails in silence is refused, and a failing one is not taken for a repeat', function (): void {
    $silent = sqlite(':memory:');
    $silent->setAttribute(PDO::ATTR_ERRMODE, PDO::ERRMODE_SILENT);
    foreach ([PdoReplayStore::class, PdoIdempotencyStore::class] as $class) {
        holds(strpos(thrown(function () use ($class, $silent): void {
            new $class($silent);
        })->getMessage(), 'ERRMODE_EXCEPTION') !== false, 'the sentence names the setting');
    }
    same('PDOException', get_class(thrown(function (): void {
        (new PdoReplayStore(sqlite(':memory:')))->remember(str_repeat('a', 64), 1, 2);
    })));
    same('PDOException', get_class(thrown(function (): void {
        (new PdoIdempotencyStore(sqlite(':memory:')))->claim(str_repeat('a', 64), str_repeat('b', 64), 1);
    })));
    $pdo = sqlite(':memory:');
    (new PdoReplayStore($pdo))->createTable();
    (new PdoIdempotencyStore($pdo))->createTable();
    $pdo->exec('PRAGMA query_only = 1');
    same('PDOException', get_class(thrown(function () use ($pdo): void {
        (new PdoReplayStore($pdo))->remember(str_repeat('a', 64), 1, 2);
    })));
    same('PDOException', get_class(thrown(function () use ($pdo): void {
        (new PdoIdempotencyStore($pdo))->claim(str_repeat('a', 64), str_repeat('b', 64), 1);
    })));
});
