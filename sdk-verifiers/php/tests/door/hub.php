<?php

/** A stand-in for the hub behind the built-in server: echoes what HubClient sent, or misbehaves as the path says. */

declare(strict_types=1);

$path = explode('?', $_SERVER['REQUEST_URI'])[0];
$answer = function (int $status, string $body): void {
    http_response_code($status);
    header('Content-Type: application/json');
    echo $body;
};
if ($path === '/redirect') {
    header('Location: /echo', true, 302);
} elseif ($path === '/slow') {
    usleep(2500000);
    $answer(200, '{}');
} elseif ($path === '/drip') {
    for ($i = 0; $i < 12; $i++) {
        echo ' ';
        flush();
        usleep(250000);
    }
    echo '{}';
} elseif ($path === '/huge') {
    for ($i = 0; $i < 60; $i++) {
        echo str_repeat('x', 100000);
    }
} elseif ($path === '/text') {
    $answer(200, 'not json');
} elseif ($path === '/refuses') {
    $answer(409, '{"error":"request_id is owned by another client","request_id":"r"}');
} elseif ($path === '/fails') {
    $answer(500, '<html>');
} else {
    $answer($path === '/run' ? 202 : 200, (string) json_encode([
        'method' => $_SERVER['REQUEST_METHOD'],
        'target' => $_SERVER['REQUEST_URI'],
        'authorization' => $_SERVER['HTTP_AUTHORIZATION'] ?? '',
        'type' => $_SERVER['CONTENT_TYPE'] ?? '',
        'body' => file_get_contents('php://input'),
        'big' => 0,
    ]));
}
