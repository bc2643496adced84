import { buildOpenApiSpec, param, tool, type ToolOptions } from '@bailing/verifier';

const orderNo = param('order_no', {
  description: 'Number of the order, such as A-1001.',
  required: true,
  schema: { type: 'string', pattern: '^[A-Z]-[0-9]{4,12}$' },
});

/** The read of the benchmark: a subject is required, the argument has a pattern. */
export const READ: ToolOptions = {
  name: 'order_read',
  method: 'GET',
  path: '/orders/{order_no}',
  scope: 'order.read',
  description: 'Look up one order: status, customer, total and items.',
  requiresSubject: true,
  params: [orderNo],
};

/** The write of the benchmark: medium risk, a condition that is evaluated and does not match, three checked arguments. */
export const WRITE: ToolOptions = {
  name: 'refund_request_create',
  method: 'POST',
  path: '/refund-requests',
  scope: 'refund.request.create',
  description: 'Create a refund request for an order; finance decides later.',
  risk: 'medium',
  confirmWhen: [{ param: 'amount', op: '>', value: 1000, label: 'refund above 1000' }],
  requiresSubject: true,
  params: [
    orderNo,
    param('amount', { type: 'number', description: 'Amount to refund, in the currency of the order.', required: true }),
    param('reason', { description: 'Why the customer gets the money back.', required: true }),
  ],
};

const EXPORT: ToolOptions = {
  name: 'export_read',
  method: 'GET',
  path: '/exports/{form}',
  scope: 'export.read',
  description: 'Download the whole export.',
  params: [param('form', { description: 'How the export is sent.', required: true, schema: { enum: ['length', 'chunked', 'gzip'] } })],
};

/** `2`, `2000`, …: that many tools, the read and the write among them. `exports`: the huge answer. */
export function toolDocument(which: string): object {
  const tools = which === 'exports' ? [EXPORT] : [READ, WRITE, ...fillers(Number(which) - 2)];
  return buildOpenApiSpec({ title: 'Orders', version: '1.0.0', tools: tools.map(tool) });
}

/** Tools like real ones: five arguments each, every second one a write. */
function fillers(count: number): ToolOptions[] {
  return Array.from({ length: Math.max(0, count) }, (_, index) => ({
    name: `catalog_item_${String(index)}`,
    method: index % 2 === 0 ? 'GET' : 'POST',
    path: `/catalog/${String(index)}/{item_no}`,
    scope: `order.catalog.part${String(index)}`,
    description: `Work on part ${String(index)} of the catalogue, one item at a time.`,
    params: [
      param('item_no', { description: 'Number of the item.', required: true, schema: { type: 'string', pattern: '^[0-9]{1,9}$' } }),
      param('language', { description: 'Language of the texts.', enum: ['en', 'zh'] }),
      param('limit', { type: 'integer', description: 'Most rows to answer.' }),
      param('after', { description: 'Where the last answer ended.' }),
      param('note', { description: 'A remark that is kept.' }),
    ],
  }));
}
