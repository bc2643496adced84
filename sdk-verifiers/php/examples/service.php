<?php

/**
 * A whole business service on plain PHP: `BAILING_SECRET=… php -S 127.0.0.1:8080 examples/service.php`.
 * It declares one tool, verifies every call and asks its own permissions before it does anything.
 */

declare(strict_types=1);

require __DIR__ . '/../autoload.php';

use Bailing\Connect\Idempotency;
use Bailing\Connect\PdoIdempotencyStore;
use Bailing\Connect\SpecServer;
use Bailing\Connect\Target;
use Bailing\Connect\ToolDef;
use Bailing\Connect\ToolSpec;
use Bailing\Connect\Verify;

$secret = (string) getenv('BAILING_SECRET');

// 1. declare an action that people already have in the back office
$spec = ToolSpec::create('Shop', '1.0')
    ->tool('order_refund', 'POST', '/orders/{order_no}/refund', 'order.refund', 'Refunds an order to its card.', function (ToolDef $tool) {
        $tool->risk('medium')->requiresSubject()->confirmWhen('amount', '>', 500)->rateLimit('30/min')
            ->path('order_no', 'string', 'Order number')
            ->body('amount', 'number', 'Amount to refund', true);
    })
    ->authzProbe();

// 2. decide who may do what: your own rules; nothing that is not listed is allowed
$authorize = function (string $operator, string $tool, array $params): bool {
    $limits = ['shop-1:anna' => ['order_refund' => 500.0]];
    $amount = $params['amount'] ?? null;
    return isset($limits[$operator][$tool]) && (is_int($amount) || is_float($amount)) && $amount > 0 && $amount <= $limits[$operator][$tool];
};

$target = $_SERVER['REQUEST_URI'];
$path = explode('?', $target, 2)[0];
if ($path === '/.well-known/bailing/tools.json') {
    SpecServer::respond($secret, $spec);
}
if ($path === '/.well-known/bailing/authz-probe') {
    SpecServer::respondAuthzProbe($secret, $authorize);
}

header('Content-Type: application/json; charset=utf-8');
$pathParams = Target::pathParams('/orders/{order_no}/refund', $target);
if ($pathParams === null) {
    http_response_code(404);
    exit('{"error":"not found"}');
}

// 3. verify, then authorise; 401 and 403 end here
$passed = Verify::gate($secret, $authorize, 'order_refund', null, ['pathParams' => $pathParams]);
if (!$passed['ok']) {
    http_response_code($passed['code']);
    exit(json_encode(['error' => $passed['error'], 'message' => $passed['message']]));
}

// 4. do it once per idempotency key
$dsn = getenv('BAILING_DSN') ?: 'sqlite:' . sys_get_temp_dir() . '/bailing-example.sqlite';
$pdo = new PDO($dsn, null, null, [PDO::ATTR_ERRMODE => PDO::ERRMODE_EXCEPTION]);
$store = new PdoIdempotencyStore($pdo);
$store->createTable();
$done = (new Idempotency($store))->run($passed, function () use ($passed): array {
    $params = $passed['params'];
    return ['refunded' => $params['amount'], 'order_no' => $params['order_no'], 'by' => $passed['operator'], 'refund_id' => bin2hex(random_bytes(8))];
});
http_response_code($done['code']);
echo json_encode($done['ok'] ? $done['answer'] : ['error' => $done['error'], 'message' => $done['message']]);
