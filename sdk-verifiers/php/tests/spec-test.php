<?php

declare(strict_types=1);

use Bailing\Connect\JsonText;
use Bailing\Connect\JsonWriter;
use Bailing\Connect\RateText;
use Bailing\Connect\SpecDocument;
use Bailing\Connect\SpecServer;
use Bailing\Connect\ToolDef;
use Bailing\Connect\ToolSpec;
use Bailing\Connect\Signature;

test('the builder form writes everything an author stated', function (): void {
    $spec = ToolSpec::create('Shop', '2.1')
        ->tool('order_refund', 'POST', '/orders/{order_no}/refund', 'order.refund', 'Refunds an order to its card.', function (ToolDef $tool): void {
            $tool->risk('low')->confirm(true, 'Refund {amount}?')->confirmWhen('amount', '>', 500, 'big')->confirmWhen('note', 'exists')->requiresSubject()
                ->sensitive()->readonly(false)->idempotent()->rateLimit('30/min')->timeoutMs(5000)->whenToUse('When a customer asks.')->returns('The refund id.')
                ->examples([['amount' => 1.5]])->context(['currency'])->tags(['orders'])->deprecated()->outcome('refunded', 'external')
                ->path('order_no', 'string', 'Order number')->query('dry', 'boolean', '', false, ['default' => false])->header('X-Shop', 'string')
                ->body('amount', 'number', 'Amount', true)->body('lines', 'array')->body('extra', 'object', '', false, ['schema' => new ArrayObject()]);
        })
        ->authzProbe('/probe', 'GET');
    $wanted = '{"info":{"title":"Shop","version":"2.1"},"openapi":"3.0.0","paths":{"/orders/{order_no}/refund":{"post":{"deprecated":true,"operationId":"order_refund",'
        . '"parameters":[{"description":"Order number","in":"path","name":"order_no","required":true,"schema":{"type":"string"}},'
        . '{"in":"query","name":"dry","required":false,"schema":{"default":false,"type":"boolean"}},{"in":"header","name":"X-Shop","required":false,"schema":{"type":"string"}}],'
        . '"requestBody":{"content":{"application/json":{"schema":{"properties":{"amount":{"description":"Amount","type":"number"},"extra":{},'
        . '"lines":{"items":{"type":"string"},"type":"array"}},"required":["amount"],"type":"object"}}},"required":true},"responses":{"200":{"description":"OK"}},'
        . '"summary":"Refunds an order to its card.","tags":["orders"],"x-agent-capability":{"approval":{"prompt":"Refund {amount}?","required":true,'
        . '"when":[{"label":"big","op":">","param":"amount","value":500},{"op":"exists","param":"note"}]},"audit":{"sensitive":true},"enabled":true,'
        . '"execution":{"idempotent":true,"rate_limit":{"count":30,"window":"1m"},"timeout_ms":5000},"guidance":{"context":["currency"],"examples":[{"amount":1.5}],'
        . '"returns":"The refund id.","when_to_use":"When a customer asks."},"outcome":{"result":"refunded","side_effect":"external"},"risk":{"level":"low"},'
        . '"scope":"order.refund","subject":{"required":true},"version":1}}}},"x-bailing-authz-probe":{"method":"GET","path":"/probe"}}';
    same($wanted, JsonWriter::sorted($spec->build()));
    same($wanted, JsonWriter::sorted(JsonText::read($spec->buildJson())));
    same([], $spec->warnings());
});

test('a stated risk is written also when it is low and the method would say otherwise, an unstated one is not', function (): void {
    foreach (['low', 'medium', 'high', null] as $risk) {
        foreach (['GET', 'POST'] as $method) {
            $document = ToolSpec::create('t', '1')->tool('t', $method, '/t', 's', 'A long description.', function (ToolDef $tool) use ($risk): void {
                if ($risk !== null) {
                    $tool->risk($risk);
                }
            })->build();
            same($risk === null ? null : ['level' => $risk], $document['paths']['/t'][strtolower($method)]['x-agent-capability']['risk'] ?? null);
        }
    }
});

test('empty objects stay objects in the JSON text', function (): void {
    $json = ToolSpec::create('t', '1')->tool('sync', 'POST', '/sync', 's', 'Synchronises orders.')->buildJson();
    holds(strpos($json, '"properties":{}') !== false, $json);
    holds(strpos(ToolSpec::create('t', '1')->buildJson(), '"paths":{}') !== false, 'no tools, no paths');
});

test('every shared builder vector that the builder form can say comes out the same through it', function (): void {
    $file = JsonText::plain(JsonText::read((string) file_get_contents(__DIR__ . '/../../vectors/spec-builder.json')));
    $asked = 0;
    foreach ($file['cases'] as $case) {
        $spec = throughBuilder($case['input']['spec']);
        if ($spec === null) {
            continue;
        }
        $asked++;
        try {
            $warnings = array_map(function (array $warning): array {
                return ['code' => $warning['code'], 'tool' => $warning['tool']];
            }, $spec->warnings());
            $got = JsonWriter::sorted(['document' => $spec->build(), 'warnings' => $warnings]);
        } catch (Bailing\Connect\RefusedInput $problem) {
            $got = 'error:' . $problem->reason();
        }
        same($case['expected']['result'], $got, $case['id']);
    }
    holds($asked > 40, 'only ' . $asked . ' vectors could be said');
});

/** A neutral description said with ToolSpec and ToolDef; null when a value has a type no setter takes. */
function throughBuilder(array $spec): ?ToolSpec
{
    try {
        $builder = ToolSpec::create($spec['title'], $spec['version']);
        foreach ($spec['tools'] as $tool) {
            $builder->tool($tool['name'] ?? '', $tool['method'] ?? 'POST', $tool['path'] ?? '', $tool['scope'] ?? '', $tool['description'] ?? '', function (ToolDef $def) use ($tool): void {
                setAll($def, $tool);
            });
        }
        if (isset($spec['authzProbe']) && $spec['authzProbe'] !== false) {
            $given = is_array($spec['authzProbe']) ? $spec['authzProbe'] : [];
            $builder->authzProbe($given['path'] ?? '/.well-known/bailing/authz-probe', $given['method'] ?? 'POST');
        }
        return $builder;
    } catch (TypeError $problem) {
        return null;
    }
}

function setAll(ToolDef $def, array $tool): void
{
    $setters = ['risk', 'confirm', 'confirmWhen', 'confirmPrompt', 'requiresSubject', 'sensitive', 'readonly', 'idempotent', 'rateLimit', 'timeoutMs', 'whenToUse', 'returns',
        'examples', 'context', 'tags', 'deprecated'];
    foreach ($setters as $setter) {
        if (isset($tool[$setter])) {
            $def->$setter($tool[$setter]);
        }
    }
    if (isset($tool['outcome'])) {
        $def->outcome($tool['outcome']['result'] ?? '', $tool['outcome']['sideEffect'] ?? '');
    }
    foreach ($tool['params'] ?? [] as $param) {
        $place = $param['in'] ?? (strpos($tool['path'], '{' . ($param['name'] ?? '') . '}') !== false ? 'path' : (strtoupper($tool['method'] ?? 'POST') === 'GET' ? 'query' : 'body'));
        $more = array_intersect_key($param, ['enum' => 0, 'items' => 0, 'default' => 0, 'schema' => 0]);
        if (!in_array($place, ['query', 'body', 'header', 'path'], true)) {
            throw new TypeError('no setter for this place');
        }
        $common = [$param['name'] ?? '', $param['type'] ?? 'string', $param['description'] ?? ''];
        $place === 'path' ? $def->path($common[0], $common[1], $common[2], $more) : $def->$place($common[0], $common[1], $common[2], $param['required'] ?? false, $more);
    }
}

test('rate texts are read, anything else is not', function (): void {
    same(['count' => 30, 'window' => '1m'], RateText::parse('30/min'));
    same(['count' => 600, 'window' => '1h'], RateText::parse('600/hour'));
    same(['count' => 10, 'window' => '1s'], RateText::parse('10/s'));
    same(['count' => 1000, 'window' => '1d'], RateText::parse('1000/day'));
    foreach (['', '30', '30/', '/min', '0/min', '03/min', '-1/min', '1.5/min', '30/week', '30/MIN', '30 / min', "30/min\n", '1000000000/s', 30, null, ['count' => 0, 'window' => '1m'],
        ['count' => 1, 'window' => '2m'], ['count' => '1', 'window' => '1m']] as $rate) {
        same(null, RateText::parse($rate));
    }
});

test('a short first sentence is warned of, counted in characters and up to the first 。', function (): void {
    $warned = function (string $description): array {
        return array_column(SpecDocument::warnings([['name' => 't', 'path' => '/t', 'description' => $description]]), 'code');
    };
    same(['short_first_sentence'], $warned('退款。把订单的钱退回去，要写理由。'));
    same(['short_first_sentence'], $warned('abc'));
    same(['short_first_sentence'], $warned("\u{3000}  abcde \u{3000}"));
    same([], $warned('给订单退款吧。'));
    same([], $warned('abcdef'));
    $message = SpecDocument::warnings([['name' => 'refund', 'path' => '/t', 'description' => 'x']])[0]['message'];
    holds(strpos($message, 'refund') !== false, $message);
});

test('the spec server protects, tells the reason, and serves builders, arrays, texts and functions', function (): void {
    $spec = ToolSpec::create('t', '1')->tool('t', 'GET', '/t', 's', 'A long description.');
    $signature = Signature::toolCall('s', '1000', 'GET', '/spec?v=1');
    $ask = function ($given, $secret = 's', string $method = 'GET', string $target = '/spec?v=1', int $now = 1000) use ($signature): array {
        return SpecServer::handle($secret, $given, $method, $target, '1000', $signature, $now);
    };
    same([200, $spec->buildJson()], $ask($spec));
    same([200, '{"openapi":"3.0.0","paths":{}}'], $ask(['openapi' => '3.0.0', 'paths' => new stdClass()]));
    same([200, '{"a":1}'], $ask('{"a":1}'));
    same([200, $spec->buildJson()], $ask(function () use ($spec): ToolSpec {
        return $spec;
    }));
    same([401, '{"error":"bad signature","reason":"bad_signature"}'], $ask($spec, 's', 'GET', '/spec?v=2'));
    same([401, '{"error":"bad signature","reason":"timestamp_out_of_window"}'], $ask($spec, 's', 'GET', '/spec?v=1', 1300));
    same([401, '{"error":"bad signature","reason":"bad_signature"}'], $ask($spec, ''));
    same([405, '{"error":"method not allowed"}'], $ask($spec, 's', 'POST'));
    same([200, $spec->buildJson()], SpecServer::handlePublic($spec));
    same([200, $spec->buildJson()], SpecServer::handle(null, $spec, 'GET', '/any'));
    same([405, '{"error":"method not allowed"}'], SpecServer::handlePublic($spec, 'DELETE'));
    same(['Content-Type' => 'application/json; charset=utf-8', 'Cache-Control' => 'private, no-store'], SpecServer::responseHeaders('s'));
    same(['Content-Type' => 'application/json; charset=utf-8'], SpecServer::responseHeaders());
});

test('a document that cannot be built is 500 without a word of the inside', function (): void {
    foreach ([ToolSpec::create('t', '1')->tool('t', 'GET', 'no-slash', 's', 'd'), function (): void {
        throw new RuntimeException('password=secret');
    }, 5, null, ["\xff" => 1]] as $spec) {
        list($status, $body) = SpecServer::handlePublic($spec);
        same(500, $status);
        holds(json_decode($body, true)['error'] !== '' && strpos($body, 'secret') === false, $body);
    }
});
