<?php

declare(strict_types=1);

namespace Bailing\Connect;

/**
 * The two ways HubClient reaches the hub: the curl extension, or PHP's own streams where curl is missing.
 * Neither follows redirects, both verify TLS, both stop at HubClient::MAX_RESPONSE_BYTES.
 */
final class HttpTransport
{
    /**
     * @param array<int,string> $headers
     * @return array{0:int,1:string} status and body
     */
    public static function curl(string $method, string $url, array $headers, ?string $body, int $timeoutSeconds): array
    {
        $text = '';
        $tooLong = false;
        $handle = curl_init();
        curl_setopt_array($handle, [
            CURLOPT_URL => $url,
            CURLOPT_CUSTOMREQUEST => $method,
            CURLOPT_HTTPHEADER => array_merge($headers, ['Expect:']),
            CURLOPT_FOLLOWLOCATION => false,
            CURLOPT_PROTOCOLS => CURLPROTO_HTTP | CURLPROTO_HTTPS,
            CURLOPT_TIMEOUT => $timeoutSeconds,
            CURLOPT_WRITEFUNCTION => function ($handle, string $chunk) use (&$text, &$tooLong): int {
                $tooLong = strlen($text) + strlen($chunk) > HubClient::MAX_RESPONSE_BYTES;
                if ($tooLong) {
                    return 0;
                }
                $text .= $chunk;
                return strlen($chunk);
            },
        ]);
        if ($body !== null) {
            curl_setopt($handle, CURLOPT_POSTFIELDS, $body);
        }
        $done = curl_exec($handle);
        $status = (int) curl_getinfo($handle, CURLINFO_RESPONSE_CODE);
        $problem = curl_error($handle);
        unset($handle);
        if ($tooLong) {
            throw self::tooLong();
        }
        if ($done === false) {
            throw new HubError('The hub could not be reached: ' . $problem, 0);
        }
        return [$status, $text];
    }

    /**
     * @param array<int,string> $headers
     * @return array{0:int,1:string} status and body
     */
    public static function stream(string $method, string $url, array $headers, ?string $body, int $timeoutSeconds): array
    {
        $context = stream_context_create(['http' => [
            'method' => $method,
            'header' => array_merge($headers, ['Connection: close']),
            'content' => $body ?? '',
            'timeout' => $timeoutSeconds,
            'follow_location' => 0,
            'ignore_errors' => true,
            'protocol_version' => 1.1,
        ]]);
        $deadline = microtime(true) + $timeoutSeconds;
        $stream = @fopen($url, 'rb', false, $context);
        if ($stream === false) {
            throw new HubError('The hub could not be reached', 0);
        }
        $lines = stream_get_meta_data($stream)['wrapper_data'] ?? [];
        $text = self::readAll($stream, $deadline);
        return [self::statusOf(is_array($lines) ? $lines : []), $text];
    }

    /** @param resource $stream */
    private static function readAll($stream, float $deadline): string
    {
        $text = '';
        while (!feof($stream)) {
            $chunk = fread($stream, 65536);
            $late = microtime(true) > $deadline || stream_get_meta_data($stream)['timed_out'];
            $text .= (string) $chunk;
            if ($late || strlen($text) > HubClient::MAX_RESPONSE_BYTES) {
                fclose($stream);
                throw $late ? new HubError('The hub did not answer in time', 0) : self::tooLong();
            }
        }
        fclose($stream);
        return $text;
    }

    /** @param array<int,mixed> $lines */
    private static function statusOf(array $lines): int
    {
        $status = 0;
        foreach ($lines as $line) {
            if (is_string($line) && preg_match('~^HTTP/\S+ (\d{3})~', $line, $found) === 1) {
                $status = (int) $found[1];
            }
        }
        return $status;
    }

    private static function tooLong(): HubError
    {
        return new HubError('The answer of the hub is longer than ' . HubClient::MAX_RESPONSE_BYTES . ' bytes', 0);
    }
}
