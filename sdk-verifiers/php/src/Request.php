<?php

declare(strict_types=1);

namespace Bailing\Connect;

/**
 * One request as it came in: method, raw target, headers, raw body bytes. Everything the checks need and nothing that was parsed.
 */
final class Request
{
    private const SIGNED = [
        'x-bailing-timestamp' => 'timestamp',
        'x-bailing-signature' => 'signature',
        'x-bailing-on-behalf-of' => 'onBehalfOf',
        'x-bailing-job-id' => 'jobId',
    ];

    /** @var string */
    private $method;

    /** @var string */
    private $target;

    /** @var string */
    private $rawBody;

    /** @var array<string,array<int,string|null>> values by lower-case name, null for one that is not text */
    private $headers;

    /** @param array<string,array<int,string|null>> $headers */
    private function __construct(string $method, string $target, array $headers, string $rawBody)
    {
        $this->method = $method;
        $this->target = $target;
        $this->headers = $headers;
        $this->rawBody = $rawBody;
    }

    /**
     * A request handed over by a framework.
     *
     * @param string $target path and query exactly as in the request line, e.g. $_SERVER['REQUEST_URI']; never a rebuilt one
     * @param array<int|string,mixed> $headers name to value or to list of values, or a list of [name, value] pairs in wire order
     * @param mixed $rawBody the bytes, or an object with __toString such as a PSR-7 stream
     * @throws RefusedInput with reason parsed_body when the body is an array: that is a mistake in the wiring, not in the call
     */
    public static function of(string $method, string $target, array $headers, $rawBody): self
    {
        self::refuseParsed($rawBody);
        return new self($method, $target, self::byName($headers), Bytes::of($rawBody) ?? '');
    }

    /** The request PHP is serving right now, from $_SERVER and php://input. */
    public static function current(): self
    {
        $body = (string) file_get_contents('php://input');
        return new self(self::server('REQUEST_METHOD'), self::server('REQUEST_URI'), self::byName(self::currentHeaders()), $body);
    }

    /**
     * @param mixed $rawBody
     * @throws RefusedInput with reason parsed_body when the bytes are gone: an array, or an object that cannot be written as text
     */
    public static function refuseParsed($rawBody): void
    {
        if (is_array($rawBody) || (is_object($rawBody) && !method_exists($rawBody, '__toString'))) {
            throw new RefusedInput('parsed_body', self::parsedSentence());
        }
    }

    /** What to say where only a parsed body is at hand (SIGNING 7). */
    public static function parsedSentence(): string
    {
        return 'Only a parsed body is at hand, and the signature covers the raw bytes: read them from php://input (or the framework\'s raw content) '
            . 'before anything parses the body; a body that was serialised again is not what was signed.';
    }

    public function method(): string
    {
        return $this->method;
    }

    public function target(): string
    {
        return $this->target;
    }

    public function rawBody(): string
    {
        return $this->rawBody;
    }

    /**
     * True when there was a body whose bytes are not at hand any more: PHP takes multipart forms apart and leaves nothing behind, and a
     * stream may have been read by others. Such a request never verifies, or unsigned form fields would ride on a signed empty body.
     */
    public function bodyIsGone(): bool
    {
        $isMultipart = stripos($this->header('content-type') ?? '', 'multipart/form-data') === 0;
        return $this->rawBody === '' && ($isMultipart || (int) $this->header('content-length') > 0);
    }

    /** A signed header: `timestamp`, `signature`, `onBehalfOf` or `jobId`; null when missing, repeated or not text. */
    public function signed(string $what): ?string
    {
        return $this->header((string) array_search($what, self::SIGNED, true));
    }

    /** Any header by name; null when it is missing, repeated or not text. */
    public function header(string $name): ?string
    {
        $values = $this->headers[Bytes::lower($name)] ?? [];
        return count($values) === 1 ? $values[0] : null;
    }

    /** The first signed header that came more than once or is not text: `timestamp`, `signature`, `onBehalfOf`, `jobId`, or null. */
    public function doubtful(): ?string
    {
        foreach (self::SIGNED as $name => $what) {
            $values = $this->headers[$name] ?? [];
            if (count($values) > 1 || ($values !== [] && $values[0] === null)) {
                return $what;
            }
        }
        return null;
    }

    /**
     * @param array<int|string,mixed> $headers
     * @return array<string,array<int,string|null>>
     */
    private static function byName(array $headers): array
    {
        $byName = [];
        foreach ($headers as $name => $value) {
            $isPair = is_int($name) && is_array($value) && isset($value[0]) && is_string($value[0]) && count($value) === 2;
            $values = $isPair ? [$value[1] ?? null] : (is_array($value) ? $value : [$value]);
            $key = Bytes::lower($isPair ? $value[0] : (string) $name);
            foreach ($values as $one) {
                $bytes = $one === null ? null : Bytes::of($one);
                // only blanks and tabs around a value are not part of it (SIGNING 26)
                $byName[$key][] = $bytes === null ? null : trim($bytes, " \t");
            }
        }
        return $byName;
    }

    /** @return array<int|string,mixed> */
    private static function currentHeaders(): array
    {
        // getallheaders keeps the names as sent; $_SERVER cannot tell X-Bailing-Job-Id from X_Bailing_Job_Id
        if (function_exists('getallheaders')) {
            return getallheaders();
        }
        $headers = ['Content-Type' => self::server('CONTENT_TYPE'), 'Content-Length' => self::server('CONTENT_LENGTH')];
        foreach ($_SERVER as $name => $value) {
            if (is_string($name) && strncmp($name, 'HTTP_', 5) === 0) {
                $headers[str_replace('_', '-', substr($name, 5))] = $value;
            }
        }
        return $headers;
    }

    private static function server(string $name): string
    {
        $value = $_SERVER[$name] ?? '';
        return is_string($value) ? $value : '';
    }
}
