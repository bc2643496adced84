<?php

declare(strict_types=1);

use Bailing\Connect\FrameworkRequest;
use Bailing\Connect\Request;
use Bailing\Connect\Signature;
use Bailing\Connect\Verify;

/** Stand-ins that answer the methods FrameworkRequest asks; the real frameworks cannot be installed here. */
final class StandIn
{
    /** @var array<string,mixed> */
    private $answers;

    /** @param array<string,mixed> $answers by method name; a public property for one that starts with $ */
    public function __construct(array $answers)
    {
        $this->answers = $answers;
    }

    public function __call(string $name, array $arguments)
    {
        if (!array_key_exists($name, $this->answers)) {
            throw new BadMethodCallException($name . ' was asked');
        }
        return $this->answers[$name];
    }

    public function __get(string $name)
    {
        return $this->answers['$' . $name];
    }
}

/** The same request as three frameworks would hold it. @return array<string,Request> */
function heldBy(string $method, string $target, array $headers, string $body): array
{
    $lists = [];
    foreach ($headers as $header) {
        $lists[$header[0]][] = $header[1];
    }
    $lower = array_change_key_case($lists);
    return [
        'symfony' => FrameworkRequest::symfony(new StandIn(['getMethod' => $method, '$server' => new StandIn(['get' => $target]), '$headers' => new StandIn(['all' => $lower]), 'getContent' => $body])),
        'think' => FrameworkRequest::think(new StandIn(['method' => $method, 'server' => $target, 'getInput' => $body, 'header' => array_map('current', $lower)])),
        'psr7' => FrameworkRequest::psr7(new StandIn(['getMethod' => $method, 'getServerParams' => ['REQUEST_URI' => $target], 'getHeaders' => $lists, 'getBody' => $body])),
        'psr7 without server' => FrameworkRequest::psr7(new StandIn(['getMethod' => $method, 'getServerParams' => [], 'getRequestTarget' => $target, 'getHeaders' => $lists, 'getBody' => $body])),
    ];
}

test('a framework request is verified by its raw target and raw body', function (): void {
    $target = '/orders/A%201?b=%2F+x&';
    $headers = signedHeaders('s', 'POST', $target, '{"a": 1}', ['subject' => 't:anna', 'job' => 'j']);
    foreach (heldBy('POST', $target, $headers, '{"a": 1}') as $name => $request) {
        same(null, Verify::requestFailureReason('s', $request), $name);
        same(['a' => 1, 'b' => '/ x'], Bailing\Connect\Params::of($request), $name);
    }
});

test('a method that a header or a form field changed does not verify', function (): void {
    $headers = signedHeaders('s', 'POST', '/orders/1', '{}', ['subject' => 't:anna', 'job' => 'j']);
    foreach (heldBy('DELETE', '/orders/1', $headers, '{}') as $name => $request) {
        same('bad_signature', Verify::requestFailureReason('s', $request), $name);
    }
});

test('a body that others took apart never verifies, not even when an empty body was signed', function (): void {
    $headers = signedHeaders('s', 'POST', '/orders/1', '', ['subject' => 't:anna', 'job' => 'j']);
    foreach ([['Content-Type', 'multipart/form-data; boundary=b'], ['Content-Length', '120']] as $sign) {
        foreach (heldBy('POST', '/orders/1', array_merge($headers, [$sign]), '') as $name => $request) {
            $passed = Verify::gate('s', function (): bool {
                return true;
            }, 't', null, ['request' => $request]);
            same([401, 'bad_signature', 0], [$passed['code'], $passed['error'], strpos($passed['message'], 'Only a parsed body is at hand')], $name);
        }
    }
    foreach (heldBy('POST', '/orders/1', $headers, '') as $name => $request) {
        same(null, Verify::requestFailureReason('s', $request), $name);
    }
});

test('the recipes of the README are the code that runs here', function (): void {
    $readme = (string) file_get_contents(__DIR__ . '/../README.md');
    preg_match_all('/```php\n(.*?)```/s', $readme, $blocks);
    holds(count($blocks[1]) >= 7, 'only ' . count($blocks[1]) . ' PHP blocks');
    $file = (string) tempnam(sys_get_temp_dir(), 'md');
    foreach ($blocks[1] as $block) {
        file_put_contents($file, strpos($block, '<?php') === 0 ? $block : "<?php\n" . $block);
        list($code, $out, $err) = ran([PHP_BINARY, '-l', $file]);
        same(0, $code, $out . $err . $block);
    }
    unlink($file);
    preg_match_all('/(?:Verify|SpecServer|FrameworkRequest|Ticket|Decision|Canonical|Signature|Target|Params|Request)::(\w+)\(/', $readme, $calls, PREG_SET_ORDER);
    foreach ($calls as $call) {
        $class = 'Bailing\\Connect\\' . strtok($call[0], ':');
        holds(method_exists($class, $call[1]), $call[0] . ' does not exist');
    }
});

test('the first commands of the README do what it says', function (): void {
    $readme = (string) file_get_contents(__DIR__ . '/../README.md');
    holds(preg_match('/```sh\n(.*?)```/s', $readme, $found) === 1, 'no commands');
    $socket = stream_socket_server('tcp://127.0.0.1:0');
    $address = (string) stream_socket_get_name($socket, false);
    fclose($socket);
    $commands = str_replace('127.0.0.1:8080', $address, (string) preg_replace('/^php /m', PHP_BINARY . ' ', $found[1]), $count);
    same(5, $count, 'the commands changed: ' . $commands);
    $file = (string) tempnam(sys_get_temp_dir(), 'bailing');
    // job control, so that kill %1 works as at a prompt; the server's own log goes away
    $script = 'set -m; ' . str_replace(['service.php &', 'kill %1'], ['service.php >/dev/null 2>&1 &', 'kill %1; wait'], $commands);
    list($code, $out) = ran(['bash', '-c', $script], ['BAILING_DSN' => 'sqlite:' . $file], __DIR__ . '/../../..');
    unlink($file);
    $lines = explode("\n", trim($out));
    same(4, count($lines), $out);
    foreach (['200 {"refunded":300,', '403 {"error":"not_authorized"', '403 {"error":"not_authorized"', '401 {"error":"bad_signature"'] as $i => $start) {
        same(0, strpos($lines[$i], $start), $lines[$i]);
    }
});
