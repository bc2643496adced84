import { buildOpenApiSpec, param, tool } from '@bailing/verifier';

const orderNo = param('order_no', {
  description: 'Number of the order, such as A-1001.',
  required: true,
  schema: { type: 'string', pattern: '^[A-Z]-[0-9]{4,8}$' },
});
const amount = param('amount', { type: 'number', description: 'Amount to refund, in the currency of the order.', required: true });
const reason = param('reason', { description: 'Why the customer gets the money back.', required: true });

/** How the hub finds out whether a write happened whose answer got lost; for the hub only, no route has to grant it. */
const RECONCILE = {
  operation: 'write_lookup',
  key: 'idempotency_key',
  applied: { pointer: '/found', equals: true },
  not_applied: { pointer: '/found', equals: false },
};

/** The tool document of this service: three operations out of everything it can do, and the one the hub asks about lost answers. */
export function toolDocument(): object {
  return withReconcile(declared(), ['/refund-requests', '/refunds']);
}

function withReconcile(document: object, writes: readonly string[]): object {
  const { paths } = document as { paths: Readonly<Record<string, Readonly<Record<string, object>>>> };
  const marked = writes.map(
    (path) => [path, { ...paths[path], post: { ...paths[path]?.post, 'x-bailing-reconcile': RECONCILE } }] as const,
  );
  return { ...document, paths: { ...paths, ...Object.fromEntries(marked) } };
}

function declared(): object {
  return buildOpenApiSpec({
    title: 'Orders service',
    version: '1.0.0',
    authzProbe: true,
    tools: [
      tool({
        name: 'order_read',
        method: 'GET',
        path: '/orders/{order_no}',
        scope: 'order.read',
        description: 'Look up one order: status, customer, total and items. 查询订单的状态、金额和商品。',
        requiresSubject: true,
        params: [orderNo],
      }),
      tool({
        name: 'refund_request_create',
        path: '/refund-requests',
        scope: 'refund.request.create',
        description: 'Create a refund request for an order; finance decides later. 为订单提交退款申请。',
        risk: 'medium',
        confirmWhen: [{ param: 'amount', op: '>', value: 1000, label: 'refund above 1000' }],
        confirmPrompt: 'Refund {amount} for order {order_no}: {reason}',
        requiresSubject: true,
        params: [orderNo, amount, reason],
        returns: 'status pending_approval with the id of the request',
      }),
      tool({
        name: 'refund_execute',
        path: '/refunds',
        scope: 'refund.execute',
        description: 'Pay a refund out immediately, which cannot be taken back. 立即执行退款打款。',
        risk: 'high',
        confirmPrompt: 'Pay out {amount} for order {order_no}: {reason}',
        requiresSubject: true,
        params: [orderNo, amount, reason],
      }),
      tool({
        name: 'write_lookup',
        method: 'GET',
        path: '/handled-calls',
        scope: 'reconcile.lookup',
        description: 'Whether a write with this idempotency key was handled. 按幂等键查询写操作是否已处理。',
        requiresSubject: true,
        params: [param('idempotency_key', { description: 'The key of the write.', required: true })],
      }),
    ],
  });
}
