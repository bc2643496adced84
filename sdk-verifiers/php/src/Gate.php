<?php

declare(strict_types=1);

namespace Bailing\Connect;

/** Verify, then authorise, fail closed: the order and the words of SIGNING G. Called through Verify::gate(). */
final class Gate
{
    /** Status and sentence of every refusal: what happened and what to do. No secret and no signature appears here. */
    private const REFUSALS = [
        'timestamp_out_of_window' => [401, 'The timestamp is missing, malformed or too far from this clock. Compare the clocks of hub and service.'],
        'bad_signature' => [401, 'The signature does not fit these bytes. Check the secret, the signed path, and that target and body are the raw ones.'],
        'replayed' => [401, 'This signed call was accepted before. A repeat must be signed anew by the hub.'],
        'replay_guard_failed' => [403, 'The replay guard could not be asked, so the call was refused. Check its store.'],
        'authorize_missing' => [403, 'No authorize function was given, so nobody may do anything. Hand one to the gate.'],
        'authorize_failed' => [403, 'The authorize function threw, so the call was refused. Look for the cause there.'],
        'not_authorized' => [403, 'The acting user may not do this. Grant the permission in the business system if that is wrong.'],
        'bad_parameters' => [403, 'The parameters cannot be read without doubt. Send a JSON object and a form-encoded query, each name once.'],
    ];

    /**
     * @param mixed $secret
     * @param mixed $authorize
     * @param mixed $tool
     * @param array<string,mixed> $options see Verify::gate()
     * @return array<string,mixed> see Verify::gate()
     */
    public static function pass($secret, $authorize, $tool, array $options): array
    {
        $given = $options['request'] ?? null;
        $request = $given instanceof Request ? $given : Request::current();
        $answer = self::blank($tool, $request);
        $reason = self::untrusted($secret, $request, $options);
        if ($reason !== null) {
            $isParsed = $reason === Verify::BAD_SIGNATURE && $request->bodyIsGone();
            return self::refuse($answer, $reason, $isParsed ? Request::parsedSentence() : null);
        }
        $answer['operator'] = $request->signed('onBehalfOf') ?? '';
        $answer['jobId'] = $request->signed('jobId') ?? '';
        $answer['contentHash'] = self::contentHash($request, $options);
        $error = is_callable($authorize) ? null : 'authorize_missing';
        $params = $error === null ? Params::of($request, self::pathParams($options)) : [];
        $error = $error ?? ($params === null ? 'bad_parameters' : self::ask($authorize, $answer['operator'], $answer['tool'], $params));
        // last, so that only what would be let in is remembered (SIGNING 35)
        $guard = $options['replayGuard'] ?? null;
        $error = $error ?? ($guard instanceof ReplayGuard ? $guard->failureReason($request, $options['now'] ?? null) : null);
        return $error === null ? self::letIn($answer, $params) : self::refuse($answer, $error);
    }

    /** @param mixed $secret */
    private static function untrusted($secret, Request $request, array $options): ?string
    {
        $reason = Verify::requestFailureReason($secret, $request, $options);
        if ($reason !== null) {
            return $reason;
        }
        $job = $request->signed('jobId') ?? '';
        // a dot in the job id would let the signed string be cut in two ways (SIGNING 32)
        $isClear = strpos($job, '.') === false && Bytes::isUtf8($job) && Bytes::isUtf8($request->signed('onBehalfOf') ?? '');
        return $isClear ? null : Verify::BAD_SIGNATURE;
    }

    /**
     * @param mixed $authorize
     * @param array<int|string,mixed> $params
     */
    private static function ask($authorize, string $operator, string $tool, array $params): ?string
    {
        try {
            $answer = call_user_func($authorize, $operator, $tool, $params);
        } catch (\Throwable $problem) {
            return 'authorize_failed';
        }
        return $answer === true ? null : 'not_authorized';
    }

    /**
     * @param array<string,mixed> $options
     * @return array<int|string,mixed>
     */
    private static function pathParams(array $options): array
    {
        return isset($options['pathParams']) && is_array($options['pathParams']) ? $options['pathParams'] : [];
    }

    /** What was signed, without its timestamp: an idempotency key is bound to it (SIGNING 36). */
    private static function contentHash(Request $request, array $options): string
    {
        return hash('sha256', implode('.', [
            Bytes::upper($request->method()),
            (string) Verify::targetOf($request, $options),
            hash('sha256', $request->rawBody()),
            $request->signed('onBehalfOf') ?? '',
            $request->signed('jobId') ?? '',
        ]));
    }

    /**
     * @param mixed $tool
     * @return array<string,mixed>
     */
    private static function blank($tool, Request $request): array
    {
        $key = $request->header('x-bailing-idempotency-key') ?? '';
        return [
            'ok' => false,
            'code' => 403,
            'error' => 'not_authorized',
            'message' => '',
            'operator' => '',
            'jobId' => '',
            'tool' => is_string($tool) ? $tool : '',
            'params' => [],
            'idempotencyKey' => preg_match('/^[0-9a-f]{64}\z/', $key) === 1 ? $key : '',
            'contentHash' => '',
        ];
    }

    /**
     * @param array<string,mixed> $answer
     * @return array<string,mixed>
     */
    private static function refuse(array $answer, string $error, ?string $message = null): array
    {
        list($code, $says) = self::REFUSALS[$error];
        return ['ok' => false, 'code' => $code, 'error' => $error, 'message' => $message ?? $says] + $answer;
    }

    /**
     * @param array<string,mixed> $answer
     * @param array<int|string,mixed> $params
     * @return array<string,mixed>
     */
    private static function letIn(array $answer, array $params): array
    {
        return ['ok' => true, 'code' => 200, 'error' => null, 'message' => '', 'params' => $params] + $answer;
    }
}
