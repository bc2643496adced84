<?php

declare(strict_types=1);

namespace Bailing\Connect;

/**
 * Serves the tool document to the hub, protected by default (SIGNING 10–12), and answers its authorization probe (SIGNING 34).
 * The handle… and authzProbe methods answer [status, JSON text]; the respond… methods send it with its headers and exit.
 */
final class SpecServer
{
    /**
     * @param string|null $secret the provider secret; null serves it to everybody (better said as handlePublic()), '' to nobody
     * @param SpecSource|array|string|callable $spec a builder, a document, its JSON text, or a function that answers one of them
     * @param string $method as received
     * @param string $pathWithQuery the raw request target
     * @param string|null $ts header X-Bailing-Timestamp
     * @param string|null $sig header X-Bailing-Signature
     * @param int|null $now unix seconds, for tests
     * @param string $rawBody normally empty; a fetch is signed over an empty body
     * @return array{0:int,1:string}
     */
    public static function handle($secret, $spec, $method, $pathWithQuery, $ts = null, $sig = null, $now = null, $rawBody = ''): array
    {
        if (!is_string($method) || Bytes::upper($method) !== 'GET') {
            return [405, self::json(['error' => 'method not allowed'])];
        }
        if ($secret !== null) {
            $reason = Verify::failureReason($secret, $method, $pathWithQuery, $rawBody, $ts, $sig, 300, '', '', $now);
            if ($reason !== null) {
                return [401, self::json(['error' => 'bad signature', 'reason' => $reason])];
            }
        }
        try {
            return [200, self::document($spec)];
        } catch (\Throwable $problem) {
            return [500, self::json(['error' => 'The tool document could not be built. Build it once in a test of this service to see why.'])];
        }
    }

    /**
     * Serves the document to everybody: paths, parameters, scopes and risks become readable for whoever reaches the URL.
     *
     * @param SpecSource|array|string|callable $spec
     * @return array{0:int,1:string}
     */
    public static function handlePublic($spec, $method = 'GET'): array
    {
        return self::handle(null, $spec, $method, '');
    }

    /**
     * Headers of every answer; with a secret it must not be kept by anyone in between.
     *
     * @return array<string,string>
     */
    public static function responseHeaders(?string $secret = null): array
    {
        $headers = ['Content-Type' => 'application/json; charset=utf-8'];
        return $secret === null ? $headers : $headers + ['Cache-Control' => 'private, no-store'];
    }

    /**
     * Answers the authorization probe: 401 for a bad signature, else 200 {"authorized":bool}; only an authorize that answers true is true.
     *
     * @param string $secret
     * @param callable|null $authorize the same function gate() gets; called as (subject, '__probe__.authz', [])
     * @param Request|null $request the current one when null
     * @param array<string,mixed> $options `knownPath`, `basePath`, `window`, `now`
     * @return array{0:int,1:string}
     */
    public static function authzProbe($secret, $authorize, ?Request $request = null, array $options = []): array
    {
        $request = $request ?? Request::current();
        $reason = Verify::requestFailureReason($secret, $request, $options);
        if ($reason !== null) {
            return [401, self::json(['authorized' => false, 'error' => 'bad signature', 'reason' => $reason])];
        }
        try {
            $authorized = is_callable($authorize) && call_user_func($authorize, self::subject($request), '__probe__.authz', []) === true;
        } catch (\Throwable $problem) {
            $authorized = false;
        }
        return [200, self::json(['authorized' => $authorized])];
    }

    /** Answers the current request with the document and exits. */
    public static function respond($secret, $spec, ?string $knownPath = null): void
    {
        $request = Request::current();
        $target = Verify::targetOf($request, ['knownPath' => $knownPath]);
        $answer = self::handle(
            $secret,
            $spec,
            $request->method(),
            $target ?? '',
            $request->signed('timestamp'),
            $target === null ? null : $request->signed('signature'),
            null,
            $request->rawBody()
        );
        self::send($answer, is_string($secret) ? $secret : null);
    }

    /** Answers the current request with the document, for everybody, and exits. */
    public static function respondPublic($spec): void
    {
        self::send(self::handlePublic($spec, Request::current()->method()), null);
    }

    /** Answers the authorization probe of the current request and exits. */
    public static function respondAuthzProbe($secret, $authorize, ?string $knownPath = null): void
    {
        self::send(self::authzProbe($secret, $authorize, null, ['knownPath' => $knownPath]), '');
    }

    /** @param array{0:int,1:string} $answer */
    private static function send(array $answer, ?string $secret): void
    {
        http_response_code($answer[0]);
        foreach (self::responseHeaders($secret) as $name => $value) {
            header($name . ': ' . $value);
        }
        echo $answer[1];
        exit;
    }

    private static function subject(Request $request): string
    {
        try {
            $body = JsonText::read($request->rawBody());
            $stated = $body instanceof \ArrayObject ? $body['subject'] ?? null : null;
        } catch (RefusedInput $problem) {
            $stated = null;
        }
        $header = $request->signed('onBehalfOf') ?? '';
        return is_string($stated) ? $stated : (Bytes::isUtf8($header) ? $header : '');
    }

    /** @param mixed $spec */
    private static function document($spec): string
    {
        if (is_string($spec) && strncmp(ltrim($spec), '{', 1) === 0) {
            return $spec;
        }
        if ($spec instanceof SpecSource) {
            return $spec->buildJson();
        }
        if (is_callable($spec)) {
            return self::document(call_user_func($spec));
        }
        if (!is_array($spec) && !$spec instanceof \ArrayObject && !$spec instanceof \stdClass) {
            throw new \InvalidArgumentException('A tool document is a builder, an array, JSON text or a function that answers one.');
        }
        return JsonWriter::compact($spec);
    }

    /** @param array<string,mixed> $value */
    private static function json(array $value): string
    {
        return JsonWriter::compact($value);
    }
}
