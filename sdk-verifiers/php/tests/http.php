<?php

declare(strict_types=1);

/** Real HTTP for the tests: PHP's built-in server on a free loopback port, and a client that sends exactly the bytes it is given. */

final class Server
{
    /** @var resource|null */
    private $process;

    /** @var string */
    public $address;

    /** @var string */
    private $log;

    /** @param array<string,string> $env */
    public function __construct(string $router, array $env = [])
    {
        $this->log = (string) tempnam(sys_get_temp_dir(), 'phps');
        for ($try = 0; $try < 5; $try++) {
            $this->address = self::freeAddress();
            // exec: the shell makes way for PHP, so that ending the process ends the server
            $line = 'exec ' . escapeshellarg(PHP_BINARY) . ' -d display_errors=0 -d log_errors=1 -S ' . $this->address . ' ' . escapeshellarg($router);
            $pipes = [];
            $this->process = proc_open($line, [1 => ['file', $this->log, 'a'], 2 => ['file', $this->log, 'a']], $pipes, __DIR__, $env + getenv());
            if ($this->answers()) {
                return;
            }
            $this->stop();
        }
        throw new RuntimeException('the built-in server did not start: ' . file_get_contents($this->log));
    }

    public function stop(): void
    {
        if (is_resource($this->process)) {
            proc_terminate($this->process);
            proc_close($this->process);
        }
        $this->process = null;
    }

    /** What PHP itself complained about while serving. */
    public function complaints(): string
    {
        preg_match_all('/^.*PHP (?:Warning|Notice|Deprecated|Fatal|Parse).*$/m', (string) file_get_contents($this->log), $found);
        return implode("\n", $found[0]);
    }

    private function answers(): bool
    {
        for ($i = 0; $i < 100; $i++) {
            $socket = @stream_socket_client('tcp://' . $this->address, $code, $message, 1);
            if ($socket !== false) {
                fclose($socket);
                return true;
            }
            usleep(50000);
        }
        return false;
    }

    private static function freeAddress(): string
    {
        $socket = stream_socket_server('tcp://127.0.0.1:0');
        if ($socket === false) {
            throw new RuntimeException('no free port');
        }
        $name = (string) stream_socket_get_name($socket, false);
        fclose($socket);
        return $name;
    }
}

/**
 * Sends a request byte for byte.
 *
 * @param array<int,array{0:string,1:string}> $headers
 * @return array{status:int,headers:array<string,string>,body:string}
 */
function sent(Server $server, string $method, string $target, array $headers = [], string $body = ''): array
{
    $lines = $method . ' ' . $target . " HTTP/1.1\r\nHost: " . $server->address . "\r\nConnection: close\r\n";
    foreach ($headers as $header) {
        $lines .= $header[0] . ': ' . $header[1] . "\r\n";
    }
    if ($body !== '') {
        $lines .= 'Content-Length: ' . strlen($body) . "\r\n";
    }
    return exchanged($server, $lines . "\r\n" . $body);
}

/** @return array{status:int,headers:array<string,string>,body:string} */
function exchanged(Server $server, string $bytes): array
{
    $socket = stream_socket_client('tcp://' . $server->address, $code, $message, 5);
    if ($socket === false) {
        throw new RuntimeException('no connection: ' . $message);
    }
    stream_set_timeout($socket, 10);
    fwrite($socket, $bytes);
    $answer = (string) stream_get_contents($socket);
    fclose($socket);
    list($head, $body) = explode("\r\n\r\n", $answer, 2) + [1 => ''];
    $lines = explode("\r\n", $head);
    $headers = [];
    foreach (array_slice($lines, 1) as $line) {
        list($name, $value) = explode(': ', $line, 2) + [1 => ''];
        $headers[strtolower($name)] = $value;
    }
    return ['status' => (int) substr($lines[0], 9, 3), 'headers' => $headers, 'body' => $body];
}

/**
 * Headers of a call as the hub sends them.
 *
 * @param array<string,string> $with subject, job, ts, key
 * @return array<int,array{0:string,1:string}>
 */
function signedHeaders(string $secret, string $method, string $target, string $body = '', array $with = []): array
{
    $ts = $with['ts'] ?? (string) time();
    $subject = $with['subject'] ?? '';
    $job = $with['job'] ?? '';
    $headers = [
        ['X-Bailing-Timestamp', $ts],
        ['X-Bailing-Signature', Bailing\Connect\Signature::toolCall($secret, $ts, $method, $target, $body, $subject, $job)],
    ];
    foreach (['X-Bailing-On-Behalf-Of' => $subject, 'X-Bailing-Job-Id' => $job, 'X-Bailing-Idempotency-Key' => $with['key'] ?? ''] as $name => $value) {
        if ($value !== '') {
            $headers[] = [$name, $value];
        }
    }
    return $body === '' ? $headers : array_merge($headers, [['Content-Type', 'application/json']]);
}
