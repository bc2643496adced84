<?php

declare(strict_types=1);

namespace Bailing\Connect;

/** Builds the answer to an approval and signs it for POST /approvals/{id}/decision (SIGNING 13–15, WIRE §9.4). */
final class Decision
{
    private const KIND = 'tool_approval_decision';
    private const SCHEMA_VERSION = 'bailing.approval-decision.v1';

    /**
     * The body to send, byte for byte.
     *
     * @param array<string,mixed> $decision approvalId (int), jobId, requestId, argsHash, decisionId, decision (`approved` or `denied`),
     *     approver, and optionally comment, decidedAt
     * @throws RefusedInput with reason invalid_decision
     */
    public static function body(array $decision): string
    {
        self::check($decision);
        $body = [
            'kind' => self::KIND,
            'schema_version' => self::SCHEMA_VERSION,
            'approval_id' => (int) $decision['approvalId'],
            'job_id' => $decision['jobId'],
            'request_id' => $decision['requestId'],
            'args_hash' => $decision['argsHash'],
            'decision_id' => $decision['decisionId'],
            'decision' => $decision['decision'],
            'approver' => $decision['approver'],
        ];
        foreach (['comment' => 'comment', 'decidedAt' => 'decided_at'] as $from => $to) {
            if (isset($decision[$from])) {
                $body[$to] = $decision[$from];
            }
        }
        return JsonWriter::compact($body);
    }

    /**
     * Body and headers of a signed decision.
     *
     * @param string $secret the callback secret of the job: the token of the client that triggered it
     * @param array<string,mixed> $decision see body()
     * @param string|null $timestamp unix milliseconds, for tests
     * @return array{body:string,headers:array<string,string>}
     * @throws RefusedInput with reason invalid_decision
     */
    public static function sign(string $secret, array $decision, ?string $timestamp = null): array
    {
        $body = self::body($decision);
        $at = $timestamp ?? sprintf('%.0F', floor(microtime(true) * 1000));
        return ['body' => $body, 'headers' => [
            'Content-Type' => 'application/json',
            'X-Bailing-Timestamp' => $at,
            'X-Bailing-Signature' => Signature::callback($secret, $at, $body),
        ]];
    }

    /** @param array<string,mixed> $decision */
    private static function check(array $decision): void
    {
        $id = $decision['approvalId'] ?? null;
        $isId = is_int($id) || (is_float($id) && floor($id) === $id);
        self::must($isId && $id >= 1 && $id <= 9007199254740991, 'approvalId must be a positive integer');
        self::must(in_array($decision['decision'] ?? null, ['approved', 'denied'], true), 'decision must be approved or denied');
        self::must(self::fits($decision, 'decisionId', '/^[A-Za-z0-9_.:-]{1,128}\z/'), 'decisionId must be 1 to 128 of A-Z a-z 0-9 _ . : -');
        self::must(self::fits($decision, 'argsHash', '/^[0-9a-f]{64}\z/'), 'argsHash must be 64 lowercase hex digits');
        foreach (['jobId', 'requestId', 'approver'] as $name) {
            self::must(self::fits($decision, $name, '/^./su'), $name . ' must be a text and not empty');
        }
        foreach (['comment', 'decidedAt'] as $name) {
            self::must(!isset($decision[$name]) || self::fits($decision, $name, '/^/u'), $name . ' must be a text');
        }
    }

    /** @param array<string,mixed> $decision */
    private static function fits(array $decision, string $name, string $pattern): bool
    {
        return isset($decision[$name]) && is_string($decision[$name]) && preg_match($pattern, $decision[$name]) === 1;
    }

    private static function must(bool $holds, string $rule): void
    {
        if (!$holds) {
            throw new RefusedInput('invalid_decision', 'This decision cannot be sent: ' . $rule . '.');
        }
    }
}
