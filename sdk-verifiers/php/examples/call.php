<?php

/**
 * Plays the hub against examples/service.php: `BAILING_SECRET=… php examples/call.php 127.0.0.1:8080 shop-1:anna 300`.
 * Prints the status and the body; a fourth argument overrides the secret, to see a refusal.
 */

declare(strict_types=1);

require __DIR__ . '/../autoload.php';

use Bailing\Connect\Canonical;
use Bailing\Connect\Signature;

list(, $address, $subject, $amount) = $argv + [1 => '127.0.0.1:8080', 2 => 'shop-1:anna', 3 => '300'];
$secret = $argv[4] ?? (string) getenv('BAILING_SECRET');

$target = '/orders/A-1001/refund';
$body = '{"amount":' . (float) $amount . '}';
$ts = (string) time();
$job = '11111111-2222-4333-8444-555555555555';
$argsHash = Canonical::argsHash(['order_no' => 'A-1001', 'amount' => (float) $amount]);
$headers = [
    'Content-Type: application/json',
    'X-Bailing-Timestamp: ' . $ts,
    'X-Bailing-Signature: ' . Signature::toolCall($secret, $ts, 'POST', $target, $body, $subject, $job),
    'X-Bailing-On-Behalf-Of: ' . $subject,
    'X-Bailing-Job-Id: ' . $job,
    'X-Bailing-Idempotency-Key: ' . Canonical::idempotencyKey('order_refund', $job, $subject, $argsHash),
];
// a service that was started a moment ago may need another one
for ($try = 0; $try < 50 && ($open = @stream_socket_client('tcp://' . $address, $code, $message, 1)) === false; $try++) {
    usleep(100000);
}
$context = stream_context_create(['http' => ['method' => 'POST', 'header' => $headers, 'content' => $body, 'ignore_errors' => true]]);
$stream = fopen('http://' . $address . $target, 'rb', false, $context);
if ($stream === false) {
    exit(1);
}
echo explode(' ', stream_get_meta_data($stream)['wrapper_data'][0], 3)[1], ' ', stream_get_contents($stream), "\n";
