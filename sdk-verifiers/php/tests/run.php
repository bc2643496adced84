<?php

/** Runs all tests: `php tests/run.php`; with words behind it only files whose name holds one of them. Ends with `php N passed, N failed`. */

declare(strict_types=1);

require __DIR__ . '/lib.php';
require __DIR__ . '/http.php';

foreach (glob(__DIR__ . '/*-test.php') ?: [] as $file) {
    $wanted = array_slice($argv, 1);
    $isWanted = $wanted === [] || array_filter($wanted, function (string $word) use ($file): bool {
        return strpos(basename($file), $word) !== false;
    }) !== [];
    // attributes do not parse before PHP 8
    if ($isWanted && (strpos($file, 'php8') === false || PHP_VERSION_ID >= 80000)) {
        require $file;
    }
}

exit(runAll());
