<?php

/** Answers the shared vectors: `php vectors-run.php <folder>` prints one JSON object (vectors/README.md, Runners). */

declare(strict_types=1);

require __DIR__ . '/autoload.php';

use Bailing\Connect\Canonical;
use Bailing\Connect\Decision;
use Bailing\Connect\JsonText;
use Bailing\Connect\JsonWriter;
use Bailing\Connect\RefusedInput;
use Bailing\Connect\Request;
use Bailing\Connect\Signature;
use Bailing\Connect\SpecDocument;
use Bailing\Connect\SpecServer;
use Bailing\Connect\Ticket;
use Bailing\Connect\Verify;

error_reporting(E_ALL);
set_error_handler(function (int $level, string $message): bool {
    throw new ErrorException($message, 0, $level);
});

/** The bytes of a text input: plain, as xHex, or null when the header was not sent. */
function bytesOf(array $input, string $name): ?string
{
    return isset($input[$name . 'Hex']) ? (string) hex2bin($input[$name . 'Hex']) : ($input[$name] ?? null);
}

function word(?string $reason): string
{
    return $reason ?? 'ok';
}

/** The words of a refused input, instead of the value. */
function orRefused(callable $make): string
{
    try {
        return $make();
    } catch (RefusedInput $problem) {
        return $problem->reason();
    }
}

/** The authorize function a case asks for. */
function authorizeOf($how): ?callable
{
    $plain = ['true' => true, 'false' => false, 'null' => null, 'one' => 1, 'text' => 'true', 'object' => []];
    if (is_array($how)) {
        return function (string $operator, string $tool, array $params) use ($how): bool {
            return $operator === $how['operator'] && $tool === $how['tool']
                && JsonWriter::sorted(new ArrayObject($params)) === JsonWriter::sorted(new ArrayObject((array) $how['params']));
        };
    }
    if ($how === 'missing') {
        return null;
    }
    return function () use ($how, $plain) {
        if ($how === 'throws') {
            throw new RuntimeException('the authorize function of the case throws');
        }
        return $plain[$how];
    };
}

function headersOf(array $input): array
{
    return array_map(function (array $header): array {
        return isset($header['valueHex']) ? [$header['name'], (string) hex2bin($header['valueHex'])] : $header;
    }, $input['headers']);
}

function requestOf(array $input, array $headers): Request
{
    return Request::of((string) bytesOf($input, 'method'), (string) bytesOf($input, 'target'), $headers, (string) hex2bin($input['bodyHex'] ?? ''));
}

/** @return string the result of a case about tool calls or spec fetches */
function toolCall(array $input, ?int $now): string
{
    return word(Verify::failureReason(
        $input['secret'],
        bytesOf($input, 'method'),
        bytesOf($input, 'target'),
        hex2bin($input['bodyHex']),
        bytesOf($input, 'timestamp'),
        bytesOf($input, 'signature'),
        $input['window'] ?? 300,
        bytesOf($input, 'onBehalfOf'),
        bytesOf($input, 'jobId'),
        $now
    ));
}

function signCall(array $input): string
{
    return Signature::toolCall(
        $input['secret'],
        (string) bytesOf($input, 'timestamp'),
        (string) bytesOf($input, 'method'),
        (string) bytesOf($input, 'target'),
        (string) hex2bin($input['bodyHex']),
        (string) bytesOf($input, 'onBehalfOf'),
        (string) bytesOf($input, 'jobId')
    );
}

function handleFetch(array $input, ?int $now): string
{
    list($status, $body) = SpecServer::handle(
        $input['secret'],
        ['openapi' => '3.0.0'],
        bytesOf($input, 'method'),
        bytesOf($input, 'target'),
        bytesOf($input, 'timestamp'),
        bytesOf($input, 'signature'),
        $now,
        (string) hex2bin($input['bodyHex'] ?? '')
    );
    return $status === 401 ? '401:' . json_decode($body, true)['reason'] : (string) $status;
}

function probe(array $input, ?int $now): string
{
    $headers = [];
    foreach (['timestamp' => 'Timestamp', 'signature' => 'Signature', 'onBehalfOf' => 'On-Behalf-Of', 'jobId' => 'Job-Id'] as $member => $name) {
        if (bytesOf($input, $member) !== null) {
            $headers[] = ['X-Bailing-' . $name, bytesOf($input, $member)];
        }
    }
    $authorize = authorizeOf($input['authorize']);
    list($status, $body) = SpecServer::authzProbe($input['secret'], $authorize, requestOf($input, $headers), ['now' => $now]);
    return $status . ':' . (json_decode($body, true)['authorized'] ? 'true' : 'false');
}

function callback(array $input, ?int $now): string
{
    $window = $input['window'] ?? 300000;
    $body = hex2bin($input['bodyHex']);
    return word(Verify::callbackFailureReason($input['secret'], $body, bytesOf($input, 'timestamp'), bytesOf($input, 'signature'), $window, $now));
}

function decisionSigned(array $input): string
{
    return orRefused(function () use ($input): string {
        $signed = Decision::sign($input['secret'], $input['decision'], (string) bytesOf($input, 'timestamp'));
        return hash('sha256', $signed['body']) . ':' . $signed['headers']['X-Bailing-Signature'];
    });
}

function ticketSigned(array $input): string
{
    return orRefused(function () use ($input): string {
        return Ticket::sign($input['token'], $input['uid'], 7200, $input['exp']);
    });
}

function ticketChecked(array $input, ?int $now): string
{
    $checked = Ticket::check($input['token'], bytesOf($input, 'ticket'), $now);
    return $checked['ok'] ? 'ok:' . $checked['uid'] : $checked['reason'];
}

function canonicalForm(array $input): string
{
    return orRefused(function () use ($input): string {
        return Canonical::argumentsOfText($input['json']) . '#' . Canonical::argsHashOfText($input['json']);
    });
}

function canonicalKey(array $input): string
{
    return orRefused(function () use ($input): string {
        $hash = Canonical::argsHashOfText($input['json']);
        return $hash . ':' . Canonical::idempotencyKey($input['tool'], $input['jobId'], $input['onBehalfOf'], $hash);
    });
}

function gate(array $input, ?int $now): string
{
    $options = ['request' => requestOf($input, headersOf($input)), 'now' => $now];
    foreach (['pathParams', 'basePath'] as $name) {
        if (isset($input[$name])) {
            $options[$name] = $input[$name] instanceof ArrayObject ? $input[$name]->getArrayCopy() : $input[$name];
        }
    }
    $answer = Verify::gate($input['secret'], authorizeOf($input['authorize']), $input['tool'], $input['knownPath'] ?? null, $options);
    return $answer['ok'] ? (string) $answer['code'] : $answer['code'] . ':' . $answer['error'];
}

function built(array $spec): string
{
    try {
        $document = SpecDocument::build($spec['title'], $spec['version'], $spec['tools'], $spec['authzProbe'] ?? null);
    } catch (RefusedInput $problem) {
        return 'error:' . $problem->reason();
    }
    $warnings = array_map(function (array $warning): array {
        return ['code' => $warning['code'], 'tool' => $warning['tool']];
    }, SpecDocument::warnings($spec['tools']));
    return JsonWriter::sorted(['document' => $document, 'warnings' => $warnings]);
}

function answer(string $group, string $kind, array $input, ?int $now): string
{
    switch ($group . ' ' . $kind) {
        case 'tool-call verify':
        case 'spec-fetch verify':
            return toolCall($input, $now);
        case 'tool-call sign':
            return signCall($input);
        case 'spec-fetch handle':
            return handleFetch($input, $now);
        case 'spec-fetch headers':
            return JsonWriter::sorted(array_change_key_case(SpecServer::responseHeaders($input['secret'])));
        case 'spec-fetch probe':
            return probe($input, $now);
        case 'callback verify':
        case 'decision verify':
            return callback($input, $now);
        case 'callback sign':
            return Signature::callback($input['secret'], (string) bytesOf($input, 'timestamp'), (string) hex2bin($input['bodyHex']));
        case 'decision sign':
            return decisionSigned($input);
        case 'ticket sign':
            return ticketSigned($input);
        case 'ticket check':
            return ticketChecked($input, $now);
        case 'canonical canonical':
            return canonicalForm($input);
        case 'canonical key':
            return canonicalKey($input);
        case 'header-parsing verify':
            return word(Verify::requestFailureReason($input['secret'], requestOf($input, headersOf($input)), ['now' => $now]));
        case 'gate gate':
            return gate($input, $now);
        case 'spec-builder build':
            return built($input['spec']);
        default:
            return 'unknown_kind';
    }
}

/** The answers to one file, by case id. */
function answersTo(string $text): array
{
    $file = JsonText::plain(JsonText::read($text));
    $results = [];
    if (!is_array($file) || !in_array('php', $file['parties'] ?? [], true)) {
        return $results;
    }
    foreach ($file['cases'] as $case) {
        try {
            $results[$case['id']] = answer($file['group'], $case['kind'], $case['input'], $case['now'] ?? null);
        } catch (Throwable $problem) {
            $results[$case['id']] = 'threw:' . get_class($problem);
        }
    }
    return $results;
}

/** @param array<int,string> $arguments */
function main(array $arguments): int
{
    if (count($arguments) !== 2 || !is_dir($arguments[1])) {
        fwrite(STDERR, "usage: php vectors-run.php <folder with the vector files>\n");
        return 2;
    }
    $results = [];
    foreach (glob($arguments[1] . '/*.json') ?: [] as $path) {
        if (basename($path) !== 'schema.json') {
            $results += answersTo((string) file_get_contents($path));
        }
    }
    $report = ['language' => 'php', 'version' => PHP_VERSION, 'total' => count($results), 'results' => new ArrayObject($results)];
    echo JsonWriter::compact($report), "\n";
    return 0;
}

exit(main($argv));
