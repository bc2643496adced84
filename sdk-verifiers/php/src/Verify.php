<?php

declare(strict_types=1);

namespace Bailing\Connect;

/**
 * Verifies what the hub sends (SIGNING.md). Nothing that arrives makes these methods throw or warn; a refusal is `false` or a reason
 * word. Only a mistake in the wiring throws: a body handed over as an array is RefusedInput `parsed_body` (SIGNING 7).
 *
 * A signature is not a permission: use gate(), which also asks your own authorize function.
 */
final class Verify
{
    public const TIMESTAMP_OUT_OF_WINDOW = 'timestamp_out_of_window';
    public const BAD_SIGNATURE = 'bad_signature';

    /**
     * True when a tool call was signed with this secret inside the window.
     *
     * @param string $secret the provider secret; an empty one verifies nothing
     * @param string $method as received
     * @param string $pathWithQuery the raw request target, never decoded or rebuilt
     * @param string $rawBody the bytes as received, or a PSR-7 stream; a parsed body (an array) is RefusedInput `parsed_body`
     * @param string|int|null $ts header X-Bailing-Timestamp, unix seconds
     * @param string|null $sig header X-Bailing-Signature
     * @param int $windowSec seconds; a difference of exactly the window is outside
     * @param string|null $onBehalfOf header X-Bailing-On-Behalf-Of, null when absent
     * @param string|null $jobId header X-Bailing-Job-Id, null when absent
     * @param int|null $now unix seconds, for tests; null takes the clock
     */
    public static function toolCall(
        $secret,
        $method,
        $pathWithQuery,
        $rawBody,
        $ts,
        $sig,
        $windowSec = 300,
        $onBehalfOf = '',
        $jobId = '',
        $now = null
    ): bool {
        return self::failureReason($secret, $method, $pathWithQuery, $rawBody, $ts, $sig, $windowSec, $onBehalfOf, $jobId, $now) === null;
    }

    /**
     * Why a tool call does not verify: null when it does, else `timestamp_out_of_window` (tested first) or `bad_signature`.
     * The parameters are those of toolCall().
     */
    public static function failureReason(
        $secret,
        $method,
        $pathWithQuery,
        $rawBody,
        $ts,
        $sig,
        $windowSec = 300,
        $onBehalfOf = '',
        $jobId = '',
        $now = null
    ): ?string {
        if (!self::inWindow($ts, $windowSec, $now ?? time())) {
            return self::TIMESTAMP_OUT_OF_WINDOW;
        }
        Request::refuseParsed($rawBody);
        $parts = array_map([Bytes::class, 'of'], [$ts, $method, $pathWithQuery, $rawBody, $onBehalfOf, $jobId]);
        if (!is_string($secret) || $secret === '' || !is_string($sig) || in_array(null, $parts, true)) {
            return self::BAD_SIGNATURE;
        }
        return Signature::same(Signature::toolCall($secret, ...$parts), $sig) ? null : self::BAD_SIGNATURE;
    }

    /**
     * True when a callback or webhook was signed with this secret inside the window.
     *
     * @param string $secret token of the client that triggered the job
     * @param string $rawBody the bytes as received
     * @param string|int|null $timestamp header X-Bailing-Timestamp, unix milliseconds
     * @param string|null $signature header X-Bailing-Signature
     * @param int $windowMs milliseconds
     * @param int|float|null $now unix milliseconds, for tests; null takes the clock
     */
    public static function callback($secret, $rawBody, $timestamp, $signature, $windowMs = 300000, $now = null): bool
    {
        return self::callbackFailureReason($secret, $rawBody, $timestamp, $signature, $windowMs, $now) === null;
    }

    /** Why a callback does not verify: null, `timestamp_out_of_window` or `bad_signature`. Parameters as callback(). */
    public static function callbackFailureReason($secret, $rawBody, $timestamp, $signature, $windowMs = 300000, $now = null): ?string
    {
        if (!self::inWindow($timestamp, $windowMs, $now ?? floor(microtime(true) * 1000))) {
            return self::TIMESTAMP_OUT_OF_WINDOW;
        }
        Request::refuseParsed($rawBody);
        $body = Bytes::of($rawBody);
        if (!is_string($secret) || $secret === '' || !is_string($signature) || $body === null) {
            return self::BAD_SIGNATURE;
        }
        return Signature::same(Signature::callback($secret, (string) $timestamp, $body), $signature) ? null : self::BAD_SIGNATURE;
    }

    /** True when an approval decision was signed with this secret inside the window; the scheme of a callback. */
    public static function decision($secret, $rawBody, $timestamp, $signature, $windowMs = 300000, $now = null): bool
    {
        return self::callbackFailureReason($secret, $rawBody, $timestamp, $signature, $windowMs, $now) === null;
    }

    /** Why a decision does not verify: null, `timestamp_out_of_window` or `bad_signature`. */
    public static function decisionFailureReason($secret, $rawBody, $timestamp, $signature, $windowMs = 300000, $now = null): ?string
    {
        return self::callbackFailureReason($secret, $rawBody, $timestamp, $signature, $windowMs, $now);
    }

    /**
     * True when the request PHP is serving is a rightly signed tool call. It says nothing about permission: prefer gate().
     *
     * @param string|null $knownPath the path of the tool document where a prefix or a rewrite hides it; the raw query is kept
     */
    public static function currentRequest($secret, $knownPath = null): bool
    {
        return self::requestFailureReason($secret, Request::current(), ['knownPath' => $knownPath]) === null;
    }

    /**
     * Why a whole request does not verify, headers read by SIGNING F: null, `timestamp_out_of_window` or `bad_signature`.
     *
     * @param array<string,mixed> $options `knownPath`, `basePath`, `window` (seconds), `now` (seconds)
     */
    public static function requestFailureReason($secret, Request $request, array $options = []): ?string
    {
        $doubtful = $request->doubtful();
        $target = self::targetOf($request, $options);
        $reason = self::failureReason(
            $secret,
            $request->method(),
            $target ?? '',
            $request->rawBody(),
            $request->signed('timestamp'),
            $request->signed('signature'),
            $options['window'] ?? 300,
            $request->signed('onBehalfOf'),
            $request->signed('jobId'),
            $options['now'] ?? null
        );
        if ($reason === null && ($doubtful !== null || $target === null || $request->bodyIsGone())) {
            return self::BAD_SIGNATURE;
        }
        return $reason;
    }

    /**
     * The target that must have been signed, or null when the stated prefix is not there.
     *
     * @param array<string,mixed> $options `knownPath`, `basePath`
     */
    public static function targetOf(Request $request, array $options): ?string
    {
        $known = $options['knownPath'] ?? null;
        $base = $options['basePath'] ?? null;
        return Target::signed($request->target(), is_string($known) ? $known : null, is_string($base) ? $base : null);
    }

    /**
     * Verifies the request and then asks your own authorize function; fails closed (SIGNING G).
     *
     * @param string $secret the provider secret
     * @param callable|null $authorize (string $operator, string $tool, array $params): must answer exactly true to let the call through
     * @param string $tool name of the tool, handed to authorize
     * @param string|null $knownPath see currentRequest()
     * @param array<string,mixed> $options `request` (a Request; default the current one), `basePath`, `pathParams`, `window`, `now`,
     *     `replayGuard` (a ReplayGuard)
     * @return array<string,mixed> `ok` bool, `code` 200/401/403, `error` word or null, `message` a sentence for people (empty when ok),
     *     `operator`, `jobId`, `tool`, `params` (empty unless ok), `idempotencyKey` (unsigned; empty when absent or malformed),
     *     `contentHash` (what was signed without its timestamp; empty unless the signature was right)
     */
    public static function gate($secret, $authorize, $tool, $knownPath = null, array $options = []): array
    {
        return Gate::pass($secret, $authorize, $tool, ($knownPath === null ? [] : ['knownPath' => $knownPath]) + $options);
    }

    /** The acting user of the current request, `''` when there is none. Only trust it after the request was verified. */
    public static function onBehalfOf(): string
    {
        return Request::current()->signed('onBehalfOf') ?? '';
    }

    /** The job id of the current request, `''` when there is none. Only trust it after the request was verified. */
    public static function jobId(): string
    {
        return Request::current()->signed('jobId') ?? '';
    }

    /**
     * One to fifteen digits and less than the window away, on both sides.
     *
     * @param mixed $timestamp
     * @param mixed $window
     * @param mixed $now
     */
    private static function inWindow($timestamp, $window, $now): bool
    {
        $text = Bytes::of($timestamp);
        if ($text === null || preg_match('/^[0-9]{1,15}\z/', $text) !== 1) {
            return false;
        }
        if ((!is_int($window) && !is_float($window)) || (!is_int($now) && !is_float($now))) {
            return false;
        }
        // doubles hold 15 digits exactly, on 32-bit machines too
        return abs(floor((float) $now) - (float) $text) < $window;
    }
}
