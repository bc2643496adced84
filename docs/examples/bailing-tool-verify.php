<?php

/**
 * Verify a signed tool call in one file: PHP 7.2 or later, nothing else. Copy it, change authorize(), keep the rest.
 *
 *   php bailing-tool-verify.php                      checks itself against the shared vectors
 *   BAILING_SECRET=… php -S 127.0.0.1:8080 bailing-tool-verify.php   serves; everything is denied until you change authorize()
 *
 * The rules are in sdk-verifiers/SIGNING.md. For callbacks, tickets, the tool document and more there is sdk-verifiers/php.
 */

declare(strict_types=1);

/**
 * YOUR decision: may this acting user call this tool with these parameters? A signature says who is asking, never that he may.
 * Only true lets the call in. This one denies everything.
 */
function authorize(string $operator, string $tool, array $params): bool
{
    return false;
}

/** "sha256=" and the HMAC of timestamp.METHOD.target.sha256(body).subject.job */
function sign_tool_call(string $secret, string $timestamp, string $method, string $target, string $body, string $subject, string $job): string
{
    $upper = strtr($method, 'abcdefghijklmnopqrstuvwxyz', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ');
    return 'sha256=' . hash_hmac('sha256', implode('.', [$timestamp, $upper, $target, hash('sha256', $body), $subject, $job]), $secret);
}

/**
 * Null when the call is rightly signed, else timestamp_out_of_window (tested first) or bad_signature.
 * Target and body are the raw ones; a missing header is null; the timestamp is unix seconds.
 */
function failure_reason(string $secret, string $method, string $target, string $body, ?string $timestamp, ?string $signature,
    ?string $subject, ?string $job, int $now, int $window = 300): ?string
{
    // \z, because $ would let a final newline through
    if ($timestamp === null || preg_match('/^[0-9]{1,15}\z/', $timestamp) !== 1 || abs($now - (int) $timestamp) >= $window) {
        return 'timestamp_out_of_window';
    }
    if ($secret === '' || $signature === null || preg_match('/^sha256=[0-9a-f]{64}\z/', $signature) !== 1) {
        return 'bad_signature';
    }
    $right = sign_tool_call($secret, $timestamp, $method, $target, $body, (string) $subject, (string) $job);
    return hash_equals($right, $signature) ? null : 'bad_signature';
}

/** What the handler will act on: query, and the JSON object of the body unless it is a GET. Null when it cannot be read without doubt. */
function params_of(array $request): ?array
{
    $params = [];
    foreach (explode('&', explode('?', $request['target'], 2)[1] ?? '') as $pair) {
        $halves = array_map('rawurldecode', explode('=', strtr($pair, '+', ' '), 2)) + [1 => ''];
        $isClear = preg_match('/%(?![0-9A-Fa-f]{2})/', $pair) === 0 && preg_match('//u', implode('', $halves)) === 1;
        if ($pair !== '' && (!$isClear || isset($params[$halves[0]]))) {
            return null;
        }
        $params += $pair === '' ? [] : [$halves[0] => $halves[1]];
    }
    if ($request['body'] === '' || in_array(strtoupper($request['method']), ['GET', 'HEAD'], true)) {
        return $params;
    }
    $members = json_decode($request['body'], true, 100);
    $isObject = is_array($members) && strncmp(ltrim($request['body'], " \t\r\n"), '{', 1) === 0;
    return $isObject && array_intersect_key($members, $params) === [] ? $members + $params : null;
}

/**
 * Verifies, then authorises; fails closed.
 *
 * @return array{0:int,1:?string} 200, 401 or 403, and the word of the refusal
 */
function gate(string $secret, ?callable $authorize, string $tool, array $request, int $now): array
{
    $subject = (string) $request['subject'];
    $reason = failure_reason($secret, $request['method'], $request['target'], $request['body'], $request['timestamp'], $request['signature'],
        $subject, $request['job'], $now);
    if ($reason !== null || strpos((string) $request['job'], '.') !== false || preg_match('//u', $subject) !== 1) {
        return [401, $reason ?? 'bad_signature'];
    }
    if ($authorize === null) {
        return [403, 'authorize_missing'];
    }
    $params = params_of($request);
    if ($params === null) {
        return [403, 'bad_parameters'];
    }
    try {
        $answer = $authorize($subject, $tool, $params);
    } catch (Throwable $problem) {
        return [403, 'authorize_failed'];
    }
    return $answer === true ? [200, null] : [403, 'not_authorized'];
}

/** The request that PHP is serving, unparsed. */
function current_request(): array
{
    $header = function (string $name): ?string {
        return isset($_SERVER[$name]) ? trim($_SERVER[$name], " \t") : null;
    };
    return [
        'method' => $_SERVER['REQUEST_METHOD'],
        'target' => $_SERVER['REQUEST_URI'],
        'body' => (string) file_get_contents('php://input'),
        'timestamp' => $header('HTTP_X_BAILING_TIMESTAMP'),
        'signature' => $header('HTTP_X_BAILING_SIGNATURE'),
        'subject' => $header('HTTP_X_BAILING_ON_BEHALF_OF'),
        'job' => $header('HTTP_X_BAILING_JOB_ID'),
    ];
}

/** Answers the current request. */
function serve(): void
{
    list($code, $error) = gate((string) getenv('BAILING_SECRET'), 'authorize', 'your_tool', current_request(), time());
    http_response_code($code);
    header('Content-Type: application/json; charset=utf-8');
    // here, at code 200, your action runs
    echo json_encode($error === null ? ['ok' => true] : ['error' => $error]);
}

/** An input of a vector: plain text, bytes as hex, or null when the header was not sent. */
function vector_input(array $input, string $name): ?string
{
    return isset($input[$name . 'Hex']) ? (string) hex2bin($input[$name . 'Hex']) : ($input[$name] ?? null);
}

/** What this file answers to a vector of tool-call.json. */
function answer_vector(array $case): string
{
    $input = $case['input'];
    $of = function (string $name) use ($input): ?string {
        return vector_input($input, $name);
    };
    $body = (string) hex2bin($input['bodyHex']);
    if ($case['kind'] === 'sign') {
        return sign_tool_call($input['secret'], (string) $of('timestamp'), (string) $of('method'), (string) $of('target'), $body,
            (string) $of('onBehalfOf'), (string) $of('jobId'));
    }
    return failure_reason($input['secret'], (string) $of('method'), (string) $of('target'), $body, $of('timestamp'), $of('signature'),
        $of('onBehalfOf'), $of('jobId'), $case['now'], $input['window'] ?? 300) ?? 'ok';
}

/** The gate with the contract's own call, and every way authorize can fail. @return array<int,string> what is wrong */
function check_gate(): array
{
    $request = ['method' => 'POST', 'target' => '/goods/create', 'body' => '{"title":"test","price":9.9}', 'timestamp' => '1718000000',
        'subject' => '179:1', 'job' => 'job-test-001', 'signature' => 'sha256=6deb8dbd54268eee4631129b442acbc9797431642473326a10a5b0826431aae5'];
    $throws = function (): bool {
        throw new RuntimeException('no database');
    };
    $one = function (): int {
        return 1;
    };
    $allows = function (string $operator, string $tool, array $params): bool {
        return $operator === '179:1' && $tool === 'goods_create' && $params === ['title' => 'test', 'price' => 9.9];
    };
    $wanted = ['403 not_authorized' => 'authorize', '403 authorize_missing' => null, '403 authorize_failed' => $throws,
        '403 not_authorized ' => $one, '200 ' => $allows];
    $wrong = [];
    foreach ($wanted as $answer => $authorize) {
        $got = implode(' ', gate('bailing-test-secret', $authorize, 'goods_create', $request, 1718000000));
        if (trim($got) !== trim($answer)) {
            $wrong[] = 'gate: wanted ' . $answer . ', got ' . $got;
        }
    }
    foreach (['?a=1&a=2', '?title=x', '?a=%'] as $query) {
        if (params_of(['target' => '/goods/create' . $query] + $request) !== null) {
            $wrong[] = 'params: ' . $query . ' was read';
        }
    }
    if (params_of(['method' => 'GET', 'target' => '/o?q=a+b%21&flag', 'body' => '']) !== ['q' => 'a b!', 'flag' => '']) {
        $wrong[] = 'params: a query was not read';
    }
    $late = implode(' ', gate('bailing-test-secret', $allows, 'goods_create', $request, 1718000300));
    return $late === '401 timestamp_out_of_window' ? $wrong : array_merge($wrong, ['gate: a late call gave ' . $late]);
}

/** Checks this file; the exit code. */
function self_check(string $folder): int
{
    $path = $folder . '/tool-call.json';
    if (!is_file($path)) {
        echo 'No vectors at ', $path, ": give their folder as the first argument.\n";
        return 1;
    }
    $file = json_decode((string) file_get_contents($path), true);
    $wrong = check_gate();
    foreach ($file['cases'] as $case) {
        $got = answer_vector($case);
        if ($got !== $case['expected']['result']) {
            $wrong[] = $case['id'] . ': wanted ' . $case['expected']['result'] . ', got ' . $got;
        }
    }
    if (count($file['cases']) !== $file['count'] || $file['count'] < 100) {
        $wrong[] = 'the vector file is not complete';
    }
    echo implode("\n", array_merge($wrong, ['bailing-tool-verify.php: ' . count($file['cases']) . ' vectors, ' . count($wrong) . ' wrong'])), "\n";
    return $wrong === [] ? 0 : 1;
}

if (PHP_SAPI !== 'cli') {
    serve();
} elseif (isset($argv[0]) && realpath($argv[0]) === __FILE__) {
    exit(self_check($argv[1] ?? __DIR__ . '/../../sdk-verifiers/vectors'));
}
