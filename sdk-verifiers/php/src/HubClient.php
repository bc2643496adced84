<?php

declare(strict_types=1);

namespace Bailing\Connect;

/**
 * Talks to the hub as one client (WIRE §2, §10.5): submit a job, read it, send a message.
 *
 * Answers are decoded arrays. Any status outside 200–299, a redirect, a timeout or an answer that is not JSON throws HubError
 * (a RuntimeException). A repeated `run` with the same request id is safe: the hub answers with the same job.
 */
final class HubClient
{
    public const MAX_RESPONSE_BYTES = 5242880;

    /** @var string */
    private $baseUrl;

    /** @var string */
    private $token;

    /** @var int */
    private $timeoutSeconds;

    /** @var callable(string,string,array<int,string>,string|null,int): array{0:int,1:string} */
    private $transport;

    /**
     * @param string $baseUrl http or https URL of the hub, without a query
     * @param string $token the client token
     * @param callable|null $transport (method, url, header lines, body or null, timeout in seconds) to [status, body]
     */
    public function __construct(string $baseUrl, string $token, int $timeoutSeconds = 8, ?callable $transport = null)
    {
        if (preg_match('~^https?://[^\s/?#@]+(/[^\s?#]*)?\z~i', $baseUrl) !== 1) {
            throw new \InvalidArgumentException('The hub URL must be an absolute http or https URL without user, query or fragment.');
        }
        if (preg_match('/^[\x21-\x7e]+\z/', $token) !== 1) {
            throw new \InvalidArgumentException('The client token must be visible ASCII; take it from the hub console.');
        }
        if ($timeoutSeconds < 1) {
            throw new \InvalidArgumentException('The timeout must be at least one second.');
        }
        $this->baseUrl = rtrim($baseUrl, '/');
        $this->token = $token;
        $this->timeoutSeconds = $timeoutSeconds;
        $this->transport = $transport ?? (function_exists('curl_init') ? [HttpTransport::class, 'curl'] : [HttpTransport::class, 'stream']);
    }

    /**
     * Submits a job: POST /run.
     *
     * @param array<string,mixed> $metadata left out when empty
     * @param int|null $waitMs only sent when given; the hub refuses it to ordinary clients
     * @return array<string,mixed> `job_id`, `status`, `request_id`, …
     */
    public function run(
        string $requestId,
        string $route,
        string $input,
        array $metadata = [],
        ?string $callbackUrl = null,
        ?int $waitMs = null
    ): array {
        $body = ['request_id' => $requestId, 'route' => $route, 'input' => $input];
        if ($metadata !== []) {
            $body['metadata'] = $metadata;
        }
        return $this->post('/run', self::withGiven($body, ['callback_url' => $callbackUrl, 'wait_ms' => $waitMs]));
    }

    /** @return array<string,mixed> the job object of WIRE §2.7 */
    public function getJob(string $jobId): array
    {
        return $this->get('/jobs/' . rawurlencode($jobId));
    }

    /**
     * Sends a message through a channel: POST /send.
     *
     * @param string|array<int,string> $to one recipient, `A|B`, or a list
     * @param array<int,string> $images URLs
     * @param array<int,array<string,string>> $files each `url` and optionally `name`
     * @param array<string,string>|null $card `title`, `url`, optionally `description`, `btntxt`
     * @return array<string,mixed>
     */
    public function send(
        string $requestId,
        string $channel,
        $to,
        string $text = '',
        array $images = [],
        array $files = [],
        ?array $card = null
    ): array {
        $body = ['request_id' => $requestId, 'channel' => $channel, 'to' => $to];
        $given = ['text' => $text === '' ? null : $text, 'images' => $images ?: null, 'files' => $files ?: null, 'card' => $card];
        return $this->post('/send', self::withGiven($body, $given));
    }

    /** @return array<string,mixed> */
    public function get(string $path): array
    {
        return $this->request('GET', $path);
    }

    /**
     * @param array<string,mixed> $body
     * @return array<string,mixed>
     */
    public function post(string $path, array $body): array
    {
        return $this->request('POST', $path, $body);
    }

    /**
     * One request, not repeated and not redirected.
     *
     * @param array<string,mixed>|null $body sent as JSON; an empty array is `{}`
     * @return array<string,mixed>
     */
    public function request(string $method, string $path, ?array $body = null): array
    {
        if (preg_match('~^/[^\s#]*\z~', $path) !== 1) {
            throw new \InvalidArgumentException('A hub path starts with / and has no spaces.');
        }
        $headers = ['Authorization: Bearer ' . $this->token, 'Accept: application/json'];
        $json = null;
        if ($body !== null) {
            $json = json_encode($body === [] ? new \stdClass() : $body, JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE);
            if ($json === false) {
                throw new \InvalidArgumentException('The request cannot be written as JSON: ' . json_last_error_msg() . '.');
            }
            $headers[] = 'Content-Type: application/json';
        }
        list($status, $text) = ($this->transport)(strtoupper($method), $this->baseUrl . $path, $headers, $json, $this->timeoutSeconds);
        return self::answer($status, $text);
    }

    /** @return array<string,mixed> */
    private static function answer(int $status, string $text): array
    {
        $decoded = json_decode($text, true, 512, JSON_BIGINT_AS_STRING);
        $response = is_array($decoded) ? $decoded : [];
        if ($status < 200 || $status > 299) {
            $says = isset($response['error']) && is_string($response['error']) ? ': ' . substr($response['error'], 0, 500) : '';
            throw new HubError('The hub answered ' . $status . $says, $status, $response);
        }
        if (!is_array($decoded)) {
            throw new HubError('The hub answered ' . $status . ' without a JSON object', $status);
        }
        return $response;
    }

    /**
     * @param array<string,mixed> $body
     * @param array<string,mixed> $optional
     * @return array<string,mixed>
     */
    private static function withGiven(array $body, array $optional): array
    {
        foreach ($optional as $name => $value) {
            if ($value !== null) {
                $body[$name] = $value;
            }
        }
        return $body;
    }
}
