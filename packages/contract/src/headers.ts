/** Header names of the contract (WIRE §6.2), in their sent spelling. */
export const HEADERS = Object.freeze({
  timestamp: 'X-Bailing-Timestamp',
  signature: 'X-Bailing-Signature',
  jobId: 'X-Bailing-Job-Id',
  client: 'X-Bailing-Client',
  onBehalfOf: 'X-Bailing-On-Behalf-Of',
  toolScope: 'X-Bailing-Tool-Scope',
  idempotencyKey: 'X-Bailing-Idempotency-Key',
});

const RESERVED = new Set([
  ...[
    'host',
    'content-length',
    'content-type',
    'content-encoding',
    'transfer-encoding',
    'connection',
    'keep-alive',
    'te',
    'trailer',
    'upgrade',
  ],
  ...[
    'expect',
    'authorization',
    'proxy-authorization',
    'proxy-authenticate',
    'proxy-connection',
    'cookie',
    'set-cookie',
    'date',
    'via',
    'forwarded',
  ],
  ...['traceparent', 'tracestate'],
]);

/** Names a header parameter may never carry, in any letter case: the hub's own, hop-by-hop and credential headers. */
export function isReservedHeader(name: string): boolean {
  const lower = name.toLowerCase();
  return (
    RESERVED.has(lower) ||
    lower.startsWith('x-bailing-') ||
    lower.startsWith('x-forwarded-') ||
    lower.startsWith('proxy-') ||
    lower.startsWith('sec-')
  );
}
