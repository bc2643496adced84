<?php

declare(strict_types=1);

use Bailing\Connect\MemoryReplayStore;
use Bailing\Connect\Params;
use Bailing\Connect\ReplayGuard;
use Bailing\Connect\ReplayStore;
use Bailing\Connect\Request;
use Bailing\Connect\Signature;
use Bailing\Connect\Target;
use Bailing\Connect\Verify;

/** A signed request at second 1000; members of $with replace signed, sent or both. */
function call(array $with = []): Request
{
    $with += ['method' => 'POST', 'target' => '/orders/refund', 'body' => '{"amount":300}', 'subject' => 't:anna', 'job' => 'job-1', 'ts' => '1000', 'key' => ''];
    $signature = Signature::toolCall('s', $with['ts'], $with['method'], $with['signedTarget'] ?? $with['target'], $with['body'], $with['subject'], $with['job']);
    return Request::of($with['method'], $with['target'], [
        'X-Bailing-Timestamp' => $with['ts'], 'X-Bailing-Signature' => $with['signature'] ?? $signature, 'X-Bailing-Job-Id' => $with['job'],
        'X-Bailing-On-Behalf-Of' => $with['subject'], 'X-Bailing-Idempotency-Key' => $with['key'],
    ], $with['body']);
}

function gated($authorize, array $with = [], array $options = [], ?string $knownPath = null): array
{
    return Verify::gate('s', $authorize, 'order_refund', $knownPath, $options + ['request' => call($with), 'now' => 1000]);
}

function yes(): bool
{
    return true;
}

test('only an authorize that answers exactly true lets a verified call in', function (): void {
    $answers = [null, false, 1, 0, 'true', '1', '', [], [true], new stdClass(), 1.0, NAN, function (): bool {
        return true;
    }];
    foreach ($answers as $answer) {
        $passed = gated(function () use ($answer) {
            return $answer;
        });
        same([false, 403, 'not_authorized', []], [$passed['ok'], $passed['code'], $passed['error'], $passed['params']]);
    }
    foreach ([new Exception('x'), new Error('x'), new TypeError('x')] as $problem) {
        same('authorize_failed', gated(function () use ($problem): bool {
            throw $problem;
        })['error']);
    }
    same('authorize_failed', gated(function (int $operator): bool {
        return true;
    })['error']);
    foreach ([null, 'no_such_function', [], 5, new stdClass(), true] as $missing) {
        $passed = gated($missing);
        same([false, 403, 'authorize_missing'], [$passed['ok'], $passed['code'], $passed['error']]);
    }
    same([true, 200, null, ''], array_values(array_intersect_key(gated('yes'), ['ok' => 0, 'code' => 0, 'error' => 0, 'message' => 0])));
});

test('authorize is called once with operator, tool and parameters, and never for a bad signature', function (): void {
    $calls = [];
    $authorize = function (...$arguments) use (&$calls): bool {
        $calls[] = $arguments;
        return true;
    };
    gated($authorize, ['target' => '/orders/refund?dry=1+2', 'body' => '{"amount":300,"tags":["a"],"meta":{"z":1}}'], ['pathParams' => ['order_no' => 'A 1/2']]);
    same([['t:anna', 'order_refund', ['amount' => 300, 'tags' => ['a'], 'meta' => ['z' => 1], 'dry' => '1 2', 'order_no' => 'A 1/2']]], $calls);
    same(401, gated($authorize, ['signature' => 'sha256=' . str_repeat('0', 64)])['code']);
    same('timestamp_out_of_window', gated($authorize, [], ['now' => 1300])['error']);
    same('bad_signature', gated($authorize, ['job' => 'a.b'])['error']);
    same('bad_signature', gated($authorize, ['subject' => "caf\xe9"])['error']);
    same(1, count($calls));
});

test('a refusal names no secret and no signature, and says what to do', function (): void {
    foreach ([gated('yes', ['signature' => 'sha256=' . str_repeat('0', 64)]), gated('yes', [], ['now' => 9999]), gated(null), gated('yes', ['body' => '[]'])] as $passed) {
        holds(strlen($passed['message']) > 40 && substr($passed['message'], -1) === '.', 'no sentence: ' . $passed['message']);
        holds(strpos(json_encode($passed), 'sha256=') === false, 'a signature is in the answer');
    }
    $bad = gated('yes', ['signature' => 'x']);
    same(['', '', '', []], [$bad['operator'], $bad['jobId'], $bad['contentHash'], $bad['params']]);
});

test('parameters that cannot be read without doubt are refused', function (): void {
    $bodies = ['[]', '"x"', '1', 'null', '{', '{"a":1}x', "{\"a\":\"\xff\"}", '{"a":"\ud800"}', '', 'a=1', str_repeat('[', 100000), "\xef\xbb\xbf{}"];
    foreach ($bodies as $body) {
        same($body === '' ? null : 'bad_parameters', gated('yes', ['body' => $body])['error'], $body);
    }
    foreach (['?a=1&a=2', '?a=%', '?a=%zz', '?a=%ff', '?amount=1', '?%61mount=1', '?a=1&%61=1'] as $query) {
        same('bad_parameters', gated('yes', ['target' => '/orders/refund' . $query])['error'], $query);
    }
    same('bad_parameters', gated('yes', [], ['pathParams' => ['amount' => '5']])['error'], 'a path parameter that is in the body too');
    same(['a' => '', 'b' => 'x=y', 'ü' => ' '], Params::query('/p?a&&b=x=y&%C3%BC=+&'));
    same([], Params::query('/p'));
});

test('a prefix is cut at a slash or the call is refused, and a known path takes the place of the raw one', function (): void {
    same(200, gated('yes', ['target' => '/api/v2/orders/refund?a=1', 'signedTarget' => '/orders/refund?a=1'], ['basePath' => '/api/v2/'])['code']);
    same('bad_signature', gated('yes', ['target' => '/apix/orders/refund', 'signedTarget' => '/orders/refund'], ['basePath' => '/api'])['error']);
    same('bad_signature', gated('yes', ['target' => '/orders/refund'], ['basePath' => '/api'])['error']);
    same(200, gated('yes', ['target' => '/index.php?s=1', 'signedTarget' => '/orders/refund?s=1'], [], '/orders/refund')['code']);
    same('bad_signature', gated('yes', ['target' => '/index.php?s=2', 'signedTarget' => '/orders/refund?s=1'], [], '/orders/refund')['error']);
    same('bad_signature', gated('yes', ['signedTarget' => '/orders/refund?a=1'], [], '/orders/refund?a=1')['error'], 'a known path must not bring its own query');
});

test('path parameters are read from the raw target of the declared path', function (): void {
    same(['order_no' => 'A 1/2'], Target::pathParams('/orders/{order_no}/refund', '/orders/A%201%2F2/refund?x=1'));
    same(['order_no' => '1'], Target::pathParams('/orders/{order_no}/refund', '/api/orders/1/refund', '/api'));
    same([], Target::pathParams('/orders', '/orders?x'));
    foreach (['/orders//refund', '/orders/1', '/orders/1/refund/', '/orders/%ff/refund', '/orders/%/refund', '/order/1/refund', '/orders/1/2/refund'] as $target) {
        same(null, Target::pathParams('/orders/{order_no}/refund', $target), $target);
    }
});

test('the replay guard refuses the second use of a write for twice the window and lets equal reads pass', function (): void {
    $options = ['replayGuard' => new ReplayGuard(new MemoryReplayStore())];
    same(null, gated('yes', [], $options)['error']);
    $again = gated('yes', [], $options);
    same([401, 'replayed'], [$again['code'], $again['error']]);
    same(null, gated('yes', ['job' => 'job-2'], $options)['error']);
    same(null, gated('yes', ['method' => 'GET', 'body' => ''], $options)['error']);
    same(null, gated('yes', ['method' => 'GET', 'body' => ''], $options)['error']);
    $guard = new ReplayGuard(new MemoryReplayStore(), 300);
    same(null, $guard->failureReason(call(), 1000));
    same('replayed', $guard->failureReason(call(), 1599));
    same(null, $guard->failureReason(call(), 1600));
});

test('a bad call is not remembered, and a broken store refuses the call', function (): void {
    $options = ['replayGuard' => new ReplayGuard(new MemoryReplayStore())];
    same('timestamp_out_of_window', gated('yes', [], $options + ['now' => 5000])['error']);
    same(null, gated('yes', [], $options)['error']);
    $broken = new class implements ReplayStore {
        public function remember(string $key, int $now, int $until): bool
        {
            throw new RuntimeException('no database');
        }
    };
    $passed = gated('yes', [], ['replayGuard' => new ReplayGuard($broken)]);
    same([403, 'replay_guard_failed'], [$passed['code'], $passed['error']]);
});
