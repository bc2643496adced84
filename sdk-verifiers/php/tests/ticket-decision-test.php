<?php

declare(strict_types=1);

use Bailing\Connect\Decision;
use Bailing\Connect\Ticket;
use Bailing\Connect\Verify;

test('the ticket of the contract is signed byte for byte and checks until its very millisecond', function (): void {
    $ticket = 'v1.eyJ1aWQiOiJ0ZW5hbnQ6dXNlciIsImV4cCI6MjAwMDAwMDAwMH0.ecfc7a95bda45da95751091c1f89e316170b5edbe555b4613e4049b9e9b848b1';
    same($ticket, Ticket::sign('secret', 'tenant:user', 7200, 2000000000));
    same(['ok' => true, 'reason' => null, 'uid' => 'tenant:user', 'exp' => 2000000000.0], Ticket::check('secret', $ticket, 2000000000000));
    same('ticket_expired', Ticket::check('secret', $ticket, 2000000000001)['reason']);
    same('bad_ticket', Ticket::check('other', $ticket, 0)['reason']);
    same('bad_ticket', Ticket::check('', $ticket, 0)['reason']);
});

test('a ticket made now is valid for two hours by the real clock', function (): void {
    $checked = Ticket::check('secret', Ticket::sign('secret', 42));
    same([true, '42'], [$checked['ok'], $checked['uid']]);
    holds(abs($checked['exp'] - time() - 7200) < 5, 'exp ' . $checked['exp']);
    same('ticket_expired', Ticket::check('secret', Ticket::sign('secret', 'u', -10))['reason']);
});

test('no ticket of any type makes the check throw, warn or pass', function (): void {
    mt_srand(9);
    $valid = Ticket::sign('secret', 'u', 7200, 2000000000);
    $junk = [null, '', 1, 1.5, true, [], [$valid], new stdClass(), 'v1..', $valid . "\n", ' ' . $valid, strtoupper($valid), str_repeat('a', 500000), 'v1.' . str_repeat('A', 200000) . '.' . str_repeat('0', 64)];
    foreach ($junk as $ticket) {
        same('bad_ticket', Ticket::check('secret', $ticket, 0)['reason']);
        same('bad_ticket', Ticket::check($ticket, $valid, 0)['reason']);
    }
    for ($i = 0; $i < 1000; $i++) {
        $payload = strtr(base64_encode(random_bytes(mt_rand(1, 60))), '+/=', '-_A');
        same('bad_ticket', Ticket::check('secret', 'v1.' . $payload . '.' . hash_hmac('sha256', $payload, 'secret'), 0)['reason']);
    }
    foreach (['[]', '"x"', '{}', '{"uid":"","exp":2}', '{"uid":"u"}', '{"uid":"u","exp":"2"}', '{"uid":"u","exp":1e999}', '{"uid":[],"exp":2}', '{"uid":1.5,"exp":2}',
        '{"uid":"\ud800","exp":2}', str_repeat('[', 300000), "\xef\xbb\xbf{\"uid\":\"u\",\"exp\":2}", "{\"uid\":\"\xff\",\"exp\":2}"] as $json) {
        $payload = rtrim(strtr(base64_encode($json), '+/', '-_'), '=');
        same('bad_ticket', Ticket::check('secret', 'v1.' . $payload . '.' . hash_hmac('sha256', $payload, 'secret'), 0)['reason'], substr($json, 0, 40));
    }
});

test('a uid that does not fit is refused and named', function (): void {
    foreach (['', '   ', "\u{3000}", str_repeat('x', 65), str_repeat('字', 22), "\xff", [], null, 1.5] as $uid) {
        same('invalid_uid', refusal(function () use ($uid): void {
            Ticket::sign('secret', $uid);
        }));
    }
    same('InvalidArgumentException', get_class(thrown(function (): void {
        Ticket::sign('', 'u');
    })));
});

function decision(array $with = []): array
{
    return $with + ['approvalId' => 123, 'jobId' => '11111111-2222-4333-8444-555555555555', 'requestId' => 'crm:1',
        'argsHash' => '31baf68423d00d8e4a82cc82eceb5cd3b82eae6ba0fd6fa7cd8a9298eb161655', 'decisionId' => 'oa:9001', 'decision' => 'approved', 'approver' => 'u2'];
}

test('a signed decision is the one of the contract and verifies', function (): void {
    $signed = Decision::sign('bailing-test-secret', decision(), '1718000000000');
    same('sha256=8ad88840990b8d52396b07c14023b7b382f87b6f36d6ba11545057191951bcdf', $signed['headers']['X-Bailing-Signature']);
    holds(Verify::decision('bailing-test-secret', $signed['body'], '1718000000000', $signed['headers']['X-Bailing-Signature'], 300000, 1718000299999), 'it does not verify');
    same('bad_signature', Verify::decisionFailureReason('bailing-test-secret', $signed['body'] . ' ', '1718000000000', $signed['headers']['X-Bailing-Signature'], 300000, 1718000000000));
    $now = Decision::sign('s', decision(['comment' => '同意 / ok', 'decidedAt' => '2026-01-01']));
    holds(Verify::decision('s', $now['body'], $now['headers']['X-Bailing-Timestamp'], $now['headers']['X-Bailing-Signature']), 'the real clock');
    holds(strpos($now['body'], ',"approver":"u2","comment":"同意 / ok","decided_at":"2026-01-01"}') !== false, $now['body']);
});

test('a decision the hub would refuse is not built', function (): void {
    $wrong = [['approvalId' => 0], ['approvalId' => -1], ['approvalId' => '123'], ['approvalId' => 1.5], ['approvalId' => null], ['jobId' => ''], ['jobId' => null], ['requestId' => 5],
        ['argsHash' => 'ABC'], ['argsHash' => str_repeat('A', 64)], ['argsHash' => str_repeat('a', 64) . "\n"], ['decisionId' => ''], ['decisionId' => 'a b'], ['decisionId' => str_repeat('a', 129)],
        ['decisionId' => "a\n"], ['decision' => 'Approved'], ['decision' => 'yes'], ['decision' => true], ['approver' => ''], ['approver' => []], ['approver' => "\xff"], ['comment' => 5], ['decidedAt' => []]];
    foreach ($wrong as $with) {
        same('invalid_decision', refusal(function () use ($with): void {
            Decision::sign('s', decision($with));
        }), json_encode($with, JSON_PARTIAL_OUTPUT_ON_ERROR) ?: '');
    }
    same('invalid_decision', refusal(function (): void {
        Decision::body([]);
    }));
});
