import type { ApprovalKind, ApprovalRequest, ApprovalSent, Webhooks } from '@bailing/plugin-api';

/** One kind of webhook: the body it makes and the audit event of its attempts. */
export function webhookKind(webhooks: Webhooks, body: (request: ApprovalRequest) => object, event: string): ApprovalKind {
  return {
    row: {
      type: 'object',
      properties: { type: { type: 'string' }, url: { type: 'string', pattern: '^https?://' } },
      required: ['type', 'url'],
    },
    open: () => ({
      event,
      compose: (request) => JSON.stringify(body(request)),
      send: async (message, signal) => sentBy((await webhooks.post(message, signal)).status),
    }),
  };
}

/** WIRE §10.1: 2xx is done, 4xx except 429 is final, everything else is tried again. */
export function sentBy(status: number): ApprovalSent {
  if (status >= 200 && status <= 299) return { is: 'sent', status };
  const final = status >= 400 && status <= 499 && status !== 429;
  return { is: 'failed', final, status, error: `the receiver answered ${String(status)}` };
}
