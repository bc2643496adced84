import { SEND_RECIPIENTS } from '@bailing/contract';
import { line } from '../audit/index.js';
import { recipientsOf } from '../messages/index.js';
import type { DeliverySettings, End, JobRow, Line, NewOutgoing, RouteSettings } from '../ports/index.js';
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
  const { delivery } = route ?? {};
  if (!delivery || delivery.type === 'none' || end.status === 'rejected' || job.source === 'delivery')
    return { outgoing: callback, lines: [] };
  // A channel delivers answers, a webhook failures too (WIRE §10.3).
  if (delivery.type === 'channel' && end.status !== 'done') return { outgoing: callback, lines: [] };
  const skipped = whySkipped(job, end, delivery);
  const one = delivery.type === 'webhook' ? put('delivery', delivery.url ?? '', true) : channelDelivery(job, claim, delivery);
  if (skipped === null) return { outgoing: [...callback, one], lines: [] };
  const said = line('delivery_skipped', { job: job.id, requestId: job.requestId }, now, { type: delivery.type, reason: skipped });
  return { outgoing: callback, lines: [said] };
}

function channelDelivery(job: JobRow, claim: string, delivery: DeliverySettings): NewOutgoing {
  const target = JSON.stringify({ channel: delivery.channel ?? '', to: recipients(job, delivery) });
  const of = { ref: job.id, body: null, job: job.id, requestId: job.requestId, signAs: '' };
  return { ...of, kind: 'delivery_channel', dedupe: `delivery:${job.id}:${claim}`, target };
}

/** `metadata[to_field]`, as text, `A|B` or a list, else `to`; each once, at most a thousand. */
function recipients(job: JobRow, { to, to_field: field }: DeliverySettings): readonly string[] {
  const metadata = JSON.parse(job.metadata) as Readonly<Record<string, unknown>>;
  const named = field !== undefined && Object.hasOwn(metadata, field) ? metadata[field] : undefined;
  const found = recipientsOf(named ?? to ?? '');
  return Array.isArray(found) ? found.filter((one): one is string => typeof one === 'string').slice(0, SEND_RECIPIENTS) : [];
}

function whySkipped(job: JobRow, end: End, delivery: DeliverySettings): 'no_delivery' | 'nothing_to_deliver' | 'no_recipient' | null {
  const metadata = JSON.parse(job.metadata) as { readonly no_delivery?: unknown };
  if (metadata.no_delivery) return 'no_delivery';
  if (!deliverable({ status: end.status, result: end.result, error: end.error })) return 'nothing_to_deliver';
  return delivery.type === 'channel' && recipients(job, delivery).length === 0 ? 'no_recipient' : null;
}
