<?php

declare(strict_types=1);

use Bailing\Connect\HttpTransport;
use Bailing\Connect\HubClient;
use Bailing\Connect\HubError;

/** @return array<string,callable> the ways to reach a hub; curl only where the extension is there */
function transports(): array
{
    $ways = ['streams' => [HttpTransport::class, 'stream']];
    return function_exists('curl_init') ? $ways + ['curl' => [HttpTransport::class, 'curl']] : $ways;
}

/** Runs a body with a client per transport against the stand-in hub. */
function withClients(callable $body, int $timeout = 8): void
{
    $server = new Server(__DIR__ . '/door/hub.php');
    try {
        foreach (transports() as $name => $transport) {
            $body(new HubClient('http://' . $server->address . '/', 'client-token', $timeout, $transport), $name);
        }
        same('', $server->complaints());
    } finally {
        $server->stop();
    }
}

function hubError(callable $body): HubError
{
    $problem = thrown($body);
    holds($problem instanceof HubError, get_class($problem) . ': ' . $problem->getMessage());
    holds(strpos($problem->getMessage(), 'client-token') === false, 'the token is in the message');
    return $problem;
}

test('a job is submitted with the members of the contract and nothing that was not given', function (): void {
    withClients(function (HubClient $hub, string $way): void {
        $sent = $hub->run('crm:1', 'refund_review', 'Prüfe 42/1.', ['principal' => ['id' => 'u-1']], 'https://biz.example/cb');
        same(['POST', '/run', 'Bearer client-token', 'application/json'], [$sent['method'], $sent['target'], $sent['authorization'], $sent['type']], $way);
        same('{"request_id":"crm:1","route":"refund_review","input":"Prüfe 42/1.","metadata":{"principal":{"id":"u-1"}},"callback_url":"https://biz.example/cb"}', $sent['body'], $way);
        same('{"request_id":"crm:1","route":"r","input":"i"}', $hub->run('crm:1', 'r', 'i')['body'], $way);
        same('{"request_id":"crm:1","route":"r","input":"i","wait_ms":5}', $hub->run('crm:1', 'r', 'i', [], null, 5)['body'], $way);
    });
});

test('a job is read, a message is sent, and any path can be asked', function (): void {
    withClients(function (HubClient $hub, string $way): void {
        same(['GET', '/jobs/a%2Fb%3Fc', ''], array_values(array_intersect_key($hub->getJob('a/b?c'), ['method' => 0, 'target' => 0, 'body' => 0])), $way);
        same('{"request_id":"m1","channel":"wecom","to":["u1"],"text":"Hi","images":["https://x/a.png"],"card":{"title":"t","url":"https://x"}}',
            $hub->send('m1', 'wecom', ['u1'], 'Hi', ['https://x/a.png'], [], ['title' => 't', 'url' => 'https://x'])['body'], $way);
        same('/health?x=1', $hub->get('/health?x=1')['target'], $way);
        same('{}', $hub->post('/kb/search', [])['body'], $way);
        same('DELETE', $hub->request('delete', '/x')['method'], $way);
    });
});

test('a refusal carries status and answer, and a redirect is not followed', function (): void {
    withClients(function (HubClient $hub, string $way): void {
        $refused = hubError(function () use ($hub): void {
            $hub->get('/refuses');
        });
        same([409, 'r', 'The hub answered 409: request_id is owned by another client'], [$refused->status(), $refused->response()['request_id'], $refused->getMessage()], $way);
        holds($refused instanceof RuntimeException, 'callers catch RuntimeException');
        foreach (['/fails' => 500, '/redirect' => 302, '/text' => 200] as $path => $status) {
            same($status, hubError(function () use ($hub, $path): void {
                $hub->get($path);
            })->status(), $way . ' ' . $path);
        }
    });
});

test('an answer that is too long, too late or not there at all is an error of status 0', function (): void {
    withClients(function (HubClient $hub, string $way): void {
        foreach (['/huge', '/slow', '/drip'] as $path) {
            $began = microtime(true);
            same(0, hubError(function () use ($hub, $path): void {
                $hub->get($path);
            })->status(), $way . ' ' . $path);
            holds(microtime(true) - $began < 5, $way . ' waited too long');
            usleep(1700000);
        }
    }, 1);
    foreach (transports() as $way => $transport) {
        $gone = new HubClient('http://127.0.0.1:1', 'client-token', 1, $transport);
        same(0, hubError(function () use ($gone): void {
            $gone->get('/health');
        })->status(), $way);
    }
});

test('mistakes of the programmer are refused before anything is sent', function (): void {
    foreach ([['ftp://x', 't', 8], ['http://u:p@x', 't', 8], ['x', 't', 8], ['http://x?y', 't', 8], ['http://x', '', 8], ['http://x', "a\r\nb", 8], ['http://x', 't', 0]] as $arguments) {
        same('InvalidArgumentException', get_class(thrown(function () use ($arguments): void {
            new HubClient(...$arguments);
        })));
    }
    $hub = new HubClient('http://127.0.0.1:1', 't', 1);
    foreach (['x', '', "/a\r\nX: y", '/a b'] as $path) {
        same('InvalidArgumentException', get_class(thrown(function () use ($hub, $path): void {
            $hub->get($path);
        })));
    }
    same('InvalidArgumentException', get_class(thrown(function () use ($hub): void {
        $hub->post('/run', ['input' => "\xff"]);
    })));
});
