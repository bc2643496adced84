<?php

declare(strict_types=1);

/** The test runner of this folder: sentences, exact comparison, warnings are failures. No PHPUnit, no network. */

require_once __DIR__ . '/../autoload.php';

error_reporting(E_ALL);
set_error_handler(function (int $level, string $message, string $file, int $line): bool {
    // a silenced call (@) reports nothing on purpose; everything else is a failure
    if ((error_reporting() & $level) === 0) {
        return true;
    }
    throw new ErrorException($message, 0, $level, $file, $line);
});

final class Tests
{
    /** @var array<string,callable> */
    public static $all = [];

    /** @var int */
    public static $checks = 0;
}

/** Registers a test; the title is a sentence. */
function test(string $title, callable $body): void
{
    if (isset(Tests::$all[$title])) {
        throw new LogicException('Two tests have the title "' . $title . '".');
    }
    Tests::$all[$title] = $body;
}

function same($wanted, $got, string $about = ''): void
{
    Tests::$checks++;
    if ($wanted !== $got) {
        throw new RuntimeException(($about === '' ? '' : $about . ': ') . "wanted\n      " . shown($wanted) . "\n    got\n      " . shown($got));
    }
}

function holds(bool $condition, string $about): void
{
    Tests::$checks++;
    if (!$condition) {
        throw new RuntimeException($about);
    }
}

/** Runs something that must be refused and gives back its reason word. */
function refusal(callable $body): string
{
    Tests::$checks++;
    try {
        $body();
    } catch (Bailing\Connect\RefusedInput $problem) {
        return $problem->reason();
    }
    throw new RuntimeException('nothing was refused');
}

/** Runs something that must throw and gives back what it threw. */
function thrown(callable $body): Throwable
{
    Tests::$checks++;
    try {
        $body();
    } catch (Throwable $problem) {
        return $problem;
    }
    throw new RuntimeException('nothing was thrown');
}

function shown($value): string
{
    $text = is_string($value) ? $value : var_export($value, true);
    return strlen($text) > 600 ? substr($text, 0, 600) . '…' : $text;
}

/** A command that must end with 0; gives its standard output. */
function runs(array $command, array $env = [], ?string $folder = null): string
{
    list($code, $out, $err) = ran($command, $env, $folder);
    holds($code === 0, implode(' ', $command) . ' ended with ' . $code . ': ' . shown($out . $err));
    return $out;
}

/** @return array{0:int,1:string,2:string} exit code, standard output, standard error */
function ran(array $command, array $env = [], ?string $folder = null): array
{
    $pipes = [];
    $line = implode(' ', array_map('escapeshellarg', $command));
    $process = proc_open($line, [1 => ['pipe', 'w'], 2 => ['file', $error = tempnam(sys_get_temp_dir(), 'err'), 'w']], $pipes, $folder, $env + getenv());
    if (!is_resource($process)) {
        throw new RuntimeException('cannot start ' . $line);
    }
    $out = (string) stream_get_contents($pipes[1]);
    fclose($pipes[1]);
    $code = proc_close($process);
    $err = (string) file_get_contents($error);
    unlink($error);
    return [$code, $out, $err];
}

/** Runs every registered test; answers the exit code. */
function runAll(): int
{
    $passed = 0;
    $failed = 0;
    foreach (Tests::$all as $title => $body) {
        $before = Tests::$checks;
        try {
            $body();
            if (Tests::$checks === $before) {
                throw new RuntimeException('the test checked nothing');
            }
            $passed++;
        } catch (Throwable $problem) {
            $failed++;
            echo 'FAILED: ', $title, "\n    ", get_class($problem), ': ', $problem->getMessage(), "\n    at ", $problem->getFile(), ':', $problem->getLine(), "\n";
        }
    }
    echo 'php ', $passed, ' passed, ', $failed, " failed\n";
    return $failed === 0 && $passed > 0 ? 0 : 1;
}
