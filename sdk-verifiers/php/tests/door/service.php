<?php

/** A plain PHP service for door-test.php: every answer is JSON that shows what the library saw. */

declare(strict_types=1);

require __DIR__ . '/../../autoload.php';

use Bailing\Connect\MemoryReplayStore;
use Bailing\Connect\ReplayGuard;
use Bailing\Connect\SpecServer;
use Bailing\Connect\ToolSpec;
use Bailing\Connect\Verify;

error_reporting(E_ALL);
set_error_handler(function (int $level, string $message): bool {
    throw new ErrorException($message, 0, $level);
});

$secret = (string) getenv('DOOR_SECRET');
$spec = ToolSpec::create('Door', '1')->tool('t', 'GET', '/t', 'door.read', 'Reads the door.');
$authorize = function (string $operator, string $tool, array $params): bool {
    return $operator === 't:anna' && $tool === 'refund';
};
$path = explode('?', $_SERVER['REQUEST_URI'])[0];

if ($path === '/spec') {
    SpecServer::respond($secret, $spec);
} elseif ($path === '/prefix/spec') {
    SpecServer::respond($secret, $spec, '/spec');
} elseif ($path === '/public') {
    SpecServer::respondPublic($spec);
} elseif ($path === '/probe') {
    SpecServer::respondAuthzProbe($secret, $authorize);
} elseif ($path === '/current') {
    $answer = ['ok' => Verify::currentRequest($secret)];
} elseif ($path === '/index.php') {
    $answer = Verify::gate($secret, $authorize, 'refund', '/orders/refund');
} elseif (strpos($path, '/api/') === 0) {
    $answer = Verify::gate($secret, $authorize, 'refund', null, ['basePath' => '/api']);
} elseif ($path === '/nobody') {
    $answer = Verify::gate($secret, null, 'refund');
} elseif ($path === '/guarded') {
    $answer = Verify::gate($secret, $authorize, 'refund', null, ['replayGuard' => new ReplayGuard(new MemoryReplayStore())]);
} else {
    $answer = Verify::gate($secret, $authorize, 'refund');
}
http_response_code($answer['code'] ?? 200);
header('Content-Type: application/json');
$seen = ['subject' => bin2hex(Verify::onBehalfOf()), 'job' => Verify::jobId(), 'target' => bin2hex($_SERVER['REQUEST_URI']), 'bytes' => strlen((string) file_get_contents('php://input'))];
echo json_encode($answer + ['seen' => $seen], JSON_PARTIAL_OUTPUT_ON_ERROR);
