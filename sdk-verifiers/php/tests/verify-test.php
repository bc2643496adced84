<?php

declare(strict_types=1);

use Bailing\Connect\Request;
use Bailing\Connect\Signature;
use Bailing\Connect\Verify;

const SECRET = 'bailing-test-secret';
const TS = 1718000000;
const BODY = '{"title":"test","price":9.9}';
const GOOD = 'sha256=6deb8dbd54268eee4631129b442acbc9797431642473326a10a5b0826431aae5';

test('the frozen vectors of the contract verify with the calls people have', function (): void {
    holds(Verify::toolCall(SECRET, 'POST', '/goods/create', BODY, (string) TS, GOOD, 300, '179:1', 'job-test-001', TS), 'the POST of the contract');
    holds(Verify::toolCall(SECRET, 'post', '/goods/create', BODY, TS, GOOD, 300, '179:1', 'job-test-001', TS + 299), 'a timestamp as integer');
    $spec = 'sha256=505ab99763cd20b50ba4066ee2ac315fe6af12a8638e7dabef63508abddedc74';
    same(null, Verify::failureReason(SECRET, 'GET', '/bailing/tools.json', '', (string) TS, $spec, 300, '', '', TS));
    $callback = 'sha256=ca81d247422d926be3066f065a8c92a1beaffc6f37f01ef7d3e2c47b46f63210';
    $body = '{"kind":"delivery","job_id":"job-test-001","status":"done"}';
    holds(Verify::callback(SECRET, $body, '1718000000000', $callback, 300000, 1718000000000), 'the callback of the contract');
    holds(!Verify::callback(SECRET, $body, '1718000000000', $callback, 300000, 1718000300000), 'exactly 300000 ms is outside');
    holds(!Verify::toolCall(SECRET, 'POST', '/goods/create', BODY, (string) TS, GOOD, 300, '179:1', 'job-test-001'), 'the real clock is far away from 2024');
});

test('a call signed now verifies with the real clock', function (): void {
    $ts = (string) time();
    holds(Verify::toolCall('s', 'PUT', '/x?y=1', '{}', $ts, Signature::toolCall('s', $ts, 'PUT', '/x?y=1', '{}')), 'seconds');
    $ms = sprintf('%.0F', microtime(true) * 1000);
    holds(Verify::callback('s', '{}', $ms, Signature::callback('s', $ms, '{}')), 'milliseconds');
    same('timestamp_out_of_window', Verify::callbackFailureReason('s', '{}', $ts, Signature::callback('s', $ts, '{}')), 'seconds where milliseconds are due');
    same('timestamp_out_of_window', Verify::failureReason('s', 'PUT', '/x', '', $ms, Signature::toolCall('s', $ms, 'PUT', '/x')), 'milliseconds where seconds are due');
});

/** Values of every kind that could land in a parameter. */
function hostileValues(): array
{
    return [
        null, '', ' ', '0', 'abc', "\0", "\xff\xfe", str_repeat('9', 1000000), '1718000000', GOOD, ' ' . GOOD, GOOD . "\n", strtoupper(GOOD), 'sha256=', '-1', '1e9', '0x10', '٣',
        0, -1, TS, PHP_INT_MAX, 1.5, NAN, INF, true, false, [], ['a' => 1], [GOOD], new stdClass(), function () {
        }, new ArrayObject([1]), fopen('php://memory', 'rb'), new class {
            public function __toString(): string
            {
                throw new RuntimeException('no text');
            }
        },
    ];
}

test('no value of any type in any place of a header makes a verifier throw, warn or pass', function (): void {
    $right = [SECRET, 'POST', '/goods/create', BODY, (string) TS, GOOD, 300, '179:1', 'job-test-001', TS];
    foreach ($right as $place => $was) {
        foreach (hostileValues() as $i => $value) {
            if ($place === 3 && (is_array($value) || (is_object($value) && !method_exists($value, '__toString')))) {
                continue;
            }
            $call = $right;
            $call[$place] = $value;
            $reason = Verify::failureReason(...$call);
            $unchanged = $value === $was || ($place === 4 && $value === TS) || ($place === 5 && $value === GOOD) || ($place === 6 && $value === INF);
            // a window may be any number above the difference, and no window, clock or text in them lets a call in
            $isWide = $place === 6 && (is_int($value) || is_float($value)) && $value > 0;
            same($unchanged || $isWide, $reason === null, 'place ' . $place . ', value ' . $i);
            holds(in_array($reason, [null, 'timestamp_out_of_window', 'bad_signature'], true), 'an unknown reason ' . $reason);
        }
    }
    foreach (hostileValues() as $a) {
        foreach (hostileValues() as $b) {
            holds(!Verify::callback($a, '{}', $b, $a, 300000, 1718000000000), 'a callback of junk');
            holds(!Verify::decision($a, $a === [] ? '' : '{}', $b, $b), 'a decision of junk');
        }
    }
});

test('random bytes in every place are refused cleanly', function (): void {
    mt_srand(5);
    for ($i = 0; $i < 3000; $i++) {
        $junk = function () use ($i): string {
            return mt_rand(0, 3) === 0 ? (string) (TS + mt_rand(-400, 400)) : random_bytes(mt_rand(1, 40) + ($i % 50 === 0 ? 5000 : 0));
        };
        $reason = Verify::failureReason(SECRET, $junk(), $junk(), $junk(), $junk(), 'sha256=' . bin2hex(random_bytes(32)), 300, $junk(), $junk(), TS);
        holds($reason === 'timestamp_out_of_window' || $reason === 'bad_signature', 'random bytes gave ' . var_export($reason, true));
    }
});

test('any single changed byte of a signed call breaks it', function (): void {
    $parts = ['POST', '/goods/create?a=%2F', BODY, (string) TS, '179:1', 'job-test-001'];
    $signature = Signature::toolCall(SECRET, $parts[3], $parts[0], $parts[1], $parts[2], $parts[4], $parts[5]);
    foreach ($parts as $which => $text) {
        for ($at = 0; $at < strlen($text); $at++) {
            $changed = $parts;
            $changed[$which][$at] = chr(ord($text[$at]) ^ 1);
            $reason = Verify::failureReason(SECRET, $changed[0], $changed[1], $changed[2], $changed[3], $signature, 300, $changed[4], $changed[5], TS);
            holds($reason !== null, 'byte ' . $at . ' of part ' . $which . ' may be changed');
        }
    }
    same(null, Verify::failureReason(SECRET, $parts[0], $parts[1], $parts[2], $parts[3], $signature, 300, $parts[4], $parts[5], TS));
});

test('a parsed body fails with a sentence that says so and is never serialised again', function (): void {
    foreach ([json_decode(BODY, true), json_decode(BODY), new ArrayObject(json_decode(BODY, true))] as $parsed) {
        foreach (['tool call', 'callback', 'request'] as $what) {
            $problem = thrown(function () use ($parsed, $what): void {
                if ($what === 'tool call') {
                    Verify::toolCall(SECRET, 'POST', '/goods/create', $parsed, (string) TS, GOOD, 300, '179:1', 'job-test-001', TS);
                } elseif ($what === 'callback') {
                    Verify::callback(SECRET, $parsed, '1718000000000', GOOD, 300000, 1718000000000);
                } else {
                    Request::of('POST', '/goods/create', [], $parsed);
                }
            });
            same('parsed_body', $problem instanceof Bailing\Connect\RefusedInput ? $problem->reason() : get_class($problem));
            holds(strpos($problem->getMessage(), 'Only a parsed body is at hand') === 0, $problem->getMessage());
            holds(strpos($problem->getMessage(), SECRET) === false, 'the secret is in the message');
        }
    }
});

test('a stream object with __toString is taken as its bytes, as PSR-7 has it', function (): void {
    $stream = new class {
        public function __toString(): string
        {
            return BODY;
        }
    };
    holds(Verify::toolCall(SECRET, 'POST', '/goods/create', $stream, (string) TS, GOOD, 300, '179:1', 'job-test-001', TS), 'the stream was not read');
});

test('nobody can sign with an empty secret', function (): void {
    foreach (['toolCall' => ['', '1', 'GET', '/'], 'callback' => ['', '1', '']] as $method => $arguments) {
        same('InvalidArgumentException', get_class(thrown(function () use ($method, $arguments): void {
            Signature::$method(...$arguments);
        })));
    }
});

test('header lists are read by name without case, once, with blanks and tabs cut', function (): void {
    $ask = function (array $headers): ?string {
        return Verify::requestFailureReason(SECRET, Request::of('POST', '/goods/create', $headers, BODY), ['now' => TS]);
    };
    $good = [['x-bailing-timestamp', (string) TS], ['X-BAILING-SIGNATURE', " \t" . GOOD . "\t "], ['X-Bailing-On-Behalf-Of', '179:1'], ['X-Bailing-Job-Id', 'job-test-001']];
    same(null, $ask($good));
    same(null, $ask(['X-Bailing-Timestamp' => TS, 'X-Bailing-Signature' => [GOOD], 'x-bailing-on-behalf-of' => ['179:1'], 'X-Bailing-Job-Id' => 'job-test-001']));
    same('bad_signature', $ask(array_merge($good, [$good[1]])), 'an equal second signature');
    same('bad_signature', $ask(array_merge($good, [$good[3]])), 'an equal second job');
    same('timestamp_out_of_window', $ask(array_merge($good, [$good[0]])), 'an equal second timestamp');
    same('bad_signature', $ask(array_merge(array_slice($good, 0, 3), [['X_Bailing_Job_Id', 'job-test-001']])), 'an underscore is another header');
    same('bad_signature', $ask(array_merge(array_slice($good, 0, 3), [['X-Bailing-Job-Id', ['job-test-001']], ['X-Bailing-Job-Id', []]])), 'a list is no text');
    same('timestamp_out_of_window', $ask([]));
    $unnamed = [['X-Bailing-Timestamp', '1000'], ['X-Bailing-Signature', Signature::toolCall('s', '1000', 'GET', '/x')]];
    foreach (['X-Bailing-On-Behalf-Of', 'X-Bailing-Job-Id'] as $name) {
        foreach ([[[$name, 'root'], [$name, 'root']], [[$name, ''], [$name, 'root']], [[$name, ['root']], [$name, []]]] as $more) {
            $request = Request::of('GET', '/x', array_merge($unnamed, $more), '');
            same('bad_signature', Verify::requestFailureReason('s', $request, ['now' => 1000]), 'a repeated ' . $name . ' is not the same as none');
        }
    }
    same(null, Verify::requestFailureReason('s', Request::of('GET', '/x', $unnamed, ''), ['now' => 1000]));
});
