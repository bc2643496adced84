<?php

declare(strict_types=1);

/** Plain PHP behind its built-in server: php://input, REQUEST_URI and the request headers as they really come in. */

const CALLER = ['subject' => 't:anna', 'job' => 'job-1'];

/** Runs a body with a fresh server and fails when PHP itself complained while serving. */
function atDoor(callable $body): void
{
    $server = new Server(__DIR__ . '/door/service.php', ['DOOR_SECRET' => 's']);
    try {
        $body($server);
        same('', $server->complaints());
    } finally {
        $server->stop();
    }
}

/** Status and error word of a call. */
function outcome(array $response): string
{
    $answer = json_decode($response['body'], true);
    return $response['status'] . (isset($answer['error']) ? ':' . $answer['error'] : '');
}

test('the door verifies the raw target as it stands in the request line', function (): void {
    atDoor(function (Server $server): void {
        $targets = ['/orders/refund', '/orders/A%201%2F2?status=%E5%BE%85+%E4%BB%98&tags=a%2Cb&n=10', '/files/a%2Fb%2fc', '//a//b', '/a/../b/./c', '/a/%2e%2e/b', '/orders?', '/orders?flag',
            '/orders?&&a=1&', '/x?q=what?', '/orders;v=1', '/a.php/b', '/style.css', '/o?q=%27', '/' . str_repeat('a', 4000)];
        foreach ($targets as $target) {
            foreach (['GET' => '', 'POST' => '{"amount":3}', 'PUT' => '{}', 'DELETE' => '{}'] as $method => $body) {
                $headers = signedHeaders('s', $method, $target, $body, CALLER);
                $response = sent($server, $method, $target, $headers, $body);
                same('200', outcome($response), $method . ' ' . $target);
                same(bin2hex($target), json_decode($response['body'], true)['seen']['target']);
            }
        }
        $signed = signedHeaders('s', 'GET', '/orders?q=a%20b', '', CALLER);
        foreach (['/orders?q=a+b', '/orders?q=a%20b&', '/orders/?q=a%20b', '/Orders?q=a%20b', '/orders'] as $other) {
            same('401:bad_signature', outcome(sent($server, 'GET', $other, $signed)), $other);
        }
    });
});

test('the door hashes raw body bytes, also when chunks cut a character and when the bytes are no text', function (): void {
    atDoor(function (Server $server): void {
        $body = '{"t":"待付😀"}';
        $lines = "POST /o HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n";
        foreach (signedHeaders('s', 'POST', '/o', $body, CALLER) as $header) {
            $lines .= $header[0] . ': ' . $header[1] . "\r\n";
        }
        $chunks = implode('', array_map(function (string $chunk): string {
            return dechex(strlen($chunk)) . "\r\n" . $chunk . "\r\n";
        }, str_split($body, 3)));
        $response = exchanged($server, $lines . "\r\n" . $chunks . "0\r\n\r\n");
        same(['200', ['t' => '待付😀']], [outcome($response), json_decode($response['body'], true)['params']]);
        foreach (["\xff\xfe\x00\x80", "{\"t\":\"\xe5\xbe", "\xef\xbb\xbf{}"] as $bytes) {
            same('403:bad_parameters', outcome(sent($server, 'POST', '/o', signedHeaders('s', 'POST', '/o', $bytes, CALLER), $bytes)), 'verified, but no JSON: ' . bin2hex($bytes));
        }
        foreach (['{"a": 1}', '{"a":1}' . "\n", '', "{\"a\":1}\x00"] as $other) {
            same('401:bad_signature', outcome(sent($server, 'POST', '/o', signedHeaders('s', 'POST', '/o', '{"a":1}', CALLER), $other)), 'body ' . $other);
        }
        $large = '{"a":"' . str_repeat('x', 300000) . '"}';
        same('200', outcome(sent($server, 'POST', '/o', signedHeaders('s', 'POST', '/o', $large, CALLER), $large)));
    });
});

test('headers count once, in any letter case, and underscores make another header', function (): void {
    atDoor(function (Server $server): void {
        $headers = signedHeaders('s', 'POST', '/o', '{}', CALLER);
        $odd = array_map(function (array $header): array {
            return [strtoupper($header[0]), " \t" . $header[1] . "\t "];
        }, $headers);
        same('200', outcome(sent($server, 'POST', '/o', $odd, '{}')));
        foreach ([0, 1, 2, 3] as $which) {
            holds(strpos(outcome(sent($server, 'POST', '/o', array_merge($headers, [$headers[$which]]), '{}')), '401:') === 0, 'a second ' . $headers[$which][0]);
        }
        same('200', outcome(sent($server, 'POST', '/o', array_merge($headers, [['X_Bailing_Job_Id', 'other'], ['X_Bailing_On_Behalf_Of', 'root']]), '{}')));
        $without = array_values(array_filter($headers, function (array $header): bool {
            return $header[0] !== 'X-Bailing-Job-Id';
        }));
        same('401:bad_signature', outcome(sent($server, 'POST', '/o', array_merge($without, [['X_Bailing_Job_Id', 'job-1']]), '{}')));
        $utf8 = sent($server, 'POST', '/o', signedHeaders('s', 'POST', '/o', '{}', ['subject' => '租户:张三', 'job' => 'job-1']), '{}');
        same(['403:not_authorized', bin2hex('租户:张三')], [outcome($utf8), json_decode($utf8['body'], true)['seen']['subject']]);
    });
});

test('a signature is not a permission: every other user, tool owner or missing authorize is refused', function (): void {
    atDoor(function (Server $server): void {
        foreach (['t:bob', '', 'T:ANNA', '__bailing_authz_probe__:nobody'] as $subject) {
            same('403:not_authorized', outcome(sent($server, 'POST', '/o', signedHeaders('s', 'POST', '/o', '{}', ['subject' => $subject, 'job' => 'job-1']), '{}')), $subject);
        }
        same('403:authorize_missing', outcome(sent($server, 'POST', '/nobody', signedHeaders('s', 'POST', '/nobody', '{}', CALLER), '{}')));
        same('401:timestamp_out_of_window', outcome(sent($server, 'POST', '/o', [], '{}')));
        same('401:bad_signature', outcome(sent($server, 'POST', '/o', signedHeaders('other', 'POST', '/o', '{}', CALLER), '{}')));
        same('401:timestamp_out_of_window', outcome(sent($server, 'POST', '/o', signedHeaders('s', 'POST', '/o', '{}', CALLER + ['ts' => (string) (time() - 301)]), '{}')));
        same('200', outcome(sent($server, 'POST', '/guarded', signedHeaders('s', 'POST', '/guarded', '{}', CALLER), '{}')));
        same(['ok' => true], array_intersect_key(json_decode(sent($server, 'GET', '/current?a=1', signedHeaders('s', 'GET', '/current?a=1'))['body'], true), ['ok' => 0]));
        same(['ok' => false], array_intersect_key(json_decode(sent($server, 'GET', '/current?a=1')['body'], true), ['ok' => 0]));
    });
});

test('a known path or a base path verifies behind a rewrite or a prefix', function (): void {
    atDoor(function (Server $server): void {
        same('200', outcome(sent($server, 'POST', '/index.php?s=a%2Fb', signedHeaders('s', 'POST', '/orders/refund?s=a%2Fb', '{}', CALLER), '{}')));
        same('401:bad_signature', outcome(sent($server, 'POST', '/index.php?s=a/b', signedHeaders('s', 'POST', '/orders/refund?s=a%2Fb', '{}', CALLER), '{}')));
        same('200', outcome(sent($server, 'POST', '/api/orders/7', signedHeaders('s', 'POST', '/orders/7', '{}', CALLER), '{}')));
        same('401:bad_signature', outcome(sent($server, 'POST', '/api/orders/7', signedHeaders('s', 'POST', '/api/orders/7', '{}', CALLER), '{}')));
    });
});

test('where PHP parsed the body itself the refusal says that only a parsed body is at hand', function (): void {
    atDoor(function (Server $server): void {
        $body = "--b\r\nContent-Disposition: form-data; name=\"amount\"\r\n\r\n300\r\n--b--\r\n";
        $headers = array_merge(signedHeaders('s', 'POST', '/o', $body, CALLER), []);
        $headers[count($headers) - 1] = ['Content-Type', 'multipart/form-data; boundary=b'];
        $response = sent($server, 'POST', '/o', $headers, $body);
        same('401:bad_signature', outcome($response));
        holds(strpos(json_decode($response['body'], true)['message'], 'Only a parsed body is at hand') === 0, $response['body']);
        $headers[count($headers) - 1] = ['Content-Type', 'application/x-www-form-urlencoded'];
        same('403:bad_parameters', outcome(sent($server, 'POST', '/o', $headers, $body)), 'urlencoded leaves the raw bytes where they are');
    });
});

test('the document is served to a signed fetch only, with the no-store header, and in public when so named', function (): void {
    atDoor(function (Server $server): void {
        $served = sent($server, 'GET', '/spec?v=1', signedHeaders('s', 'GET', '/spec?v=1'));
        same([200, 'private, no-store', 'application/json; charset=utf-8', '3.0.0'],
            [$served['status'], $served['headers']['cache-control'], $served['headers']['content-type'], json_decode($served['body'], true)['openapi']]);
        foreach ([[], [['X-Bailing-Timestamp', (string) time()], ['X-Bailing-Signature', 'sha256=' . str_repeat('0', 64)]]] as $headers) {
            $refused = sent($server, 'GET', '/spec?v=1', $headers);
            same([401, 'private, no-store', 'bad signature'], [$refused['status'], $refused['headers']['cache-control'], json_decode($refused['body'], true)['error']]);
        }
        same(405, sent($server, 'POST', '/spec', signedHeaders('s', 'POST', '/spec', '{}'), '{}')['status']);
        same(200, sent($server, 'GET', '/prefix/spec', signedHeaders('s', 'GET', '/spec'))['status']);
        $public = sent($server, 'GET', '/public');
        same([200, false], [$public['status'], isset($public['headers']['cache-control'])]);
    });
});

test('the authorization probe is denied without a good signature and answers the truth with one', function (): void {
    atDoor(function (Server $server): void {
        $body = '{"subject":"__bailing_authz_probe__:nobody","reason":"bailing-authz-probe","expect":"deny"}';
        $headers = signedHeaders('s', 'POST', '/probe', $body, ['subject' => '__bailing_authz_probe__:nobody', 'job' => 'probe']);
        $denied = sent($server, 'POST', '/probe', $headers, $body);
        same([200, '{"authorized":false}', 'private, no-store'], [$denied['status'], $denied['body'], $denied['headers']['cache-control']]);
        same([401, false], [($bad = sent($server, 'POST', '/probe', [], $body))['status'], json_decode($bad['body'], true)['authorized']]);
    });
});

test('random requests never make the service warn, fail or let anything in', function (): void {
    atDoor(function (Server $server): void {
        mt_srand(21);
        $names = ['X-Bailing-Timestamp', 'X-Bailing-Signature', 'X-Bailing-On-Behalf-Of', 'X-Bailing-Job-Id', 'X-Bailing-Idempotency-Key', 'Content-Type'];
        for ($i = 0; $i < 150; $i++) {
            $headers = [];
            for ($h = mt_rand(0, 6); $h > 0; $h--) {
                $text = preg_replace('/[\x00-\x08\x0a-\x1f\x7f]/', '', random_bytes(mt_rand(1, 80)));
                $headers[] = [$names[mt_rand(0, 5)], mt_rand(0, 3) === 0 ? (string) time() : (string) $text];
            }
            $paths = ['/o', '/spec', '/probe', '/api/x', '/index.php', '/current', '/guarded?' . bin2hex(random_bytes(3)) . '=%', '/%ff?%=%'];
            $response = sent($server, ['GET', 'POST', 'PUT', 'PATCH'][mt_rand(0, 3)], $paths[mt_rand(0, 7)], $headers, mt_rand(0, 1) ? random_bytes(mt_rand(1, 300)) : '');
            holds(in_array($response['status'], [200, 401, 405], true), 'status ' . $response['status'] . ': ' . $response['body']);
            holds($response['status'] !== 200 || strpos($response['body'], '{"ok":false') === 0, $response['body']);
        }
    });
});
