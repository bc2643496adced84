<?php

/**
 * Loads Bailing\Connect without Composer: `require 'path/to/php/autoload.php';`.
 *
 * src/ is PHP 7.2 syntax; php8/ holds the attribute form and is only looked into on PHP 8.0 and later.
 */
spl_autoload_register(function ($class) {
    $prefix = 'Bailing\\Connect\\';
    if (strncmp($class, $prefix, strlen($prefix)) !== 0) {
        return;
    }
    $name = substr($class, strlen($prefix));
    if (preg_match('/^[A-Za-z0-9]+\z/', $name) !== 1) {
        return;
    }
    $folders = PHP_VERSION_ID >= 80000 ? ['src', 'php8'] : ['src'];
    foreach ($folders as $folder) {
        $file = __DIR__ . '/' . $folder . '/' . $name . '.php';
        if (is_file($file)) {
            require_once $file;
            return;
        }
    }
});
