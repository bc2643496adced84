import { line } from '../audit/index.js';
import type { End, JobRow, Line, NewOutgoing, RouteSettings } from '../ports/index.js';
import { deliverable } from './body.js';

interface Deliveries {
  readonly outgoing: readonly NewOutgoing[];
  readonly lines: readonly Line[];
}

/**
 * What must be sent because a job ended: its callback (WIRE §10.2) and the delivery of its route (§10.3). Stable per run of the job, so that
 * nothing is put twice; both are composed when they are first sent.
 */
export function deliveriesOf(job: JobRow, claim: string, end: End, route: RouteSettings | undefined, now: number): Deliveries {
  const signAs = job.owner === 'admin' ? '' : job.owner;
  const common = { ref: job.id, body: null, job: job.id, requestId: job.requestId, signAs };
  const put = (kind: 'callback' | 'delivery', url: string, trusted: boolean): NewOutgoing => ({
    ...common,
    kind,
    dedupe: `${kind}:${job.id}:${claim}`,
    target: JSON.stringify({ url, trusted }),
  });
  const { callbackUrl } = job;
  const callback = callbackUrl ? [put('callback', callbackUrl, callbackUrl === route?.default_callback_url)] : [];
  const url = route?.delivery?.type === 'webhook' ? route.delivery.url : undefined;
  if (url === undefined || end.status === 'rejected' || job.source === 'delivery') return { outgoing: callback, lines: [] };
  const skipped = whySkipped(job, end);
  if (skipped === null) return { outgoing: [...callback, put('delivery', url, true)], lines: [] };
  const said = line('delivery_skipped', { job: job.id, requestId: job.requestId }, now, { type: 'webhook', reason: skipped });
  return { outgoing: callback, lines: [said] };
}

function whySkipped(job: JobRow, end: End): 'no_delivery' | 'nothing_to_deliver' | null {
  const metadata = JSON.parse(job.metadata) as { readonly no_delivery?: unknown };
  if (metadata.no_delivery) return 'no_delivery';
  return deliverable({ status: end.status, result: end.result, error: end.error }) ? null : 'nothing_to_deliver';
}
