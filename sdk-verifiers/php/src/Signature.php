<?php

declare(strict_types=1);

namespace Bailing\Connect;

/**
 * Makes the signatures of SIGNING.md. Services need it for tests and for sending decisions; the hub signs the rest itself.
 */
final class Signature
{
    /** Signs a tool call or, with method GET and nothing else, a spec fetch (SIGNING 1–10). `$timestamp` is unix seconds. */
    public static function toolCall(
        string $secret,
        string $timestamp,
        string $method,
        string $pathWithQuery,
        string $rawBody = '',
        string $onBehalfOf = '',
        string $jobId = ''
    ): string {
        $parts = [$timestamp, Bytes::upper($method), $pathWithQuery, hash('sha256', $rawBody), $onBehalfOf, $jobId];
        return self::label($secret, implode('.', $parts));
    }

    /** Signs a callback, a webhook or a decision (SIGNING 13). `$timestamp` is unix milliseconds. */
    public static function callback(string $secret, string $timestamp, string $rawBody): string
    {
        return self::label($secret, $timestamp . '.' . $rawBody);
    }

    /** True when both are a whole `sha256=` signature and equal; takes the same time for every difference (SIGNING 20, 21). */
    public static function same(string $right, string $given): bool
    {
        // \z and not $: in PHP $ matches before a final newline too
        if (preg_match('/^sha256=[0-9a-f]{64}\z/', $given) !== 1) {
            return false;
        }
        return hash_equals($right, $given);
    }

    private static function label(string $secret, string $text): string
    {
        if ($secret === '') {
            throw new \InvalidArgumentException('A secret is needed to sign: it is empty.');
        }
        return 'sha256=' . hash_hmac('sha256', $text, $secret);
    }
}
