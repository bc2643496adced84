<?php

declare(strict_types=1);

use Bailing\Connect\AiParam;
use Bailing\Connect\AiTool;
use Bailing\Connect\JsonWriter;
use Bailing\Connect\SpecBuilder;

final class OrderItemController
{
    #[AiTool(scope: 'order.refund', description: 'Refunds an order to its card.', path: '/orders/{orderNo}/refund', risk: 'low', requiresSubject: true, rateLimit: '30/min',
        confirmWhen: [['param' => 'amount', 'op' => '>', 'value' => 500]], outcome: ['result' => 'refunded', 'sideEffect' => 'external'])]
    public function refundAll(
        #[AiParam(description: 'Order number')] string $orderNo,
        #[AiParam(enum: [1, 2])] int $kind,
        #[AiParam] ?string $memo,
        #[AiParam] float $amount = 1.5,
        #[AiParam] ?bool $notify = null,
        #[AiParam] array $lines = [],
        ?object $injected = null,
    ): void {
    }

    #[AiTool(scope: 'order.read', description: '查', path: '/orders', method: 'GET', name: 'orders')]
    #[AiParam(name: 'status', description: 'State of the order', required: true)]
    #[AiParam(name: 'page', type: 'integer', default: 1)]
    public function list(object $request): void
    {
    }

    public function notATool(): void
    {
    }
}

test('attributes give the same document as the neutral description', function (): void {
    $builder = (new SpecBuilder('Shop', '1.0'))->addClass(OrderItemController::class)->authzProbe();
    $wanted = '{"info":{"title":"Shop","version":"1.0"},"openapi":"3.0.0","paths":{"/orders":{"get":{"operationId":"orders","parameters":['
        . '{"description":"State of the order","in":"query","name":"status","required":true,"schema":{"type":"string"}},'
        . '{"in":"query","name":"page","required":false,"schema":{"default":1,"type":"integer"}}],"responses":{"200":{"description":"OK"}},"summary":"查",'
        . '"x-agent-capability":{"enabled":true,"scope":"order.read","version":1}}},"/orders/{orderNo}/refund":{"post":{"operationId":"order_item_refund_all","parameters":['
        . '{"description":"Order number","in":"path","name":"orderNo","required":true,"schema":{"type":"string"}}],'
        . '"requestBody":{"content":{"application/json":{"schema":{"properties":{"amount":{"default":1.5,"type":"number"},"kind":{"enum":[1,2],"type":"integer"},'
        . '"lines":{"default":[],"items":{"type":"string"},"type":"array"},"memo":{"type":"string"},"notify":{"type":"boolean"}},"required":["kind"],"type":"object"}}},"required":true},'
        . '"responses":{"200":{"description":"OK"}},"summary":"Refunds an order to its card.","x-agent-capability":{"approval":{"when":[{"op":">","param":"amount","value":500}]},'
        . '"enabled":true,"execution":{"rate_limit":{"count":30,"window":"1m"}},"outcome":{"result":"refunded","side_effect":"external"},"risk":{"level":"low"},'
        . '"scope":"order.refund","subject":{"required":true},"version":1}}}},"x-bailing-authz-probe":{"method":"POST","path":"/.well-known/bailing/authz-probe"}}';
    same($wanted, JsonWriter::sorted($builder->build()));
    same($wanted, JsonWriter::sorted(Bailing\Connect\JsonText::read($builder->buildJson())));
    same([['short_first_sentence', 'orders']], array_map(function (array $warning): array {
        return [$warning['code'], $warning['tool']];
    }, $builder->warnings()));
});

test('a class that does not exist and a tool that cannot be declared are refused by name', function (): void {
    same(ReflectionException::class, get_class(thrown(function (): void {
        (new SpecBuilder())->addClass('No\\Such\\Controller');
    })));
    $twice = (new SpecBuilder())->addClass(OrderItemController::class)->addClass(new OrderItemController());
    same('duplicate_name', refusal(function () use ($twice): void {
        $twice->build();
    }));
});
