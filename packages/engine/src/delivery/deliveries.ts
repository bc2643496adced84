import { SEND_RECIPIENTS } from '@bailing/contract';
import { line } from '../audit/index.js';
import { recipientsOf } from '../messages/index.js';
import type { DeliverySettings, End, JobRow, Line, NewOutgoing, RouteSettings } from '../ports/index.js';
import { deliverable } from './body.js';
import { DELIVERY, notifyTarget } from './carried.js';
import { deadLettersOf } from './dead-letters.js';

interface Deliveries {
  readonly outgoing: readonly NewOutgoing[];
  readonly lines: readonly Line[];
}

/** What must be sent because a job ended, and the dead letter of one that was itself a delivery. */
export function deliveriesOf(job: JobRow, claim: string, end: End, route: RouteSettings | undefined, now: number): Deliveries {
  const { outgoing, lines } = answersOf(job, claim, end, route, now);
  return { outgoing: [...outgoing, ...deadLettersOf(job, end)], lines };
}

/**
 * What must be sent because a job ended: its callback (WIRE §10.2) and the delivery of its route (§10.3). Stable per run of the job, so that
 * nothing is put twice; both are composed when they are first sent.
 */
function answersOf(job: JobRow, claim: string, end: End, route: RouteSettings | undefined, now: number): Deliveries {
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
  if (!delivery || delivery.type === 'none' || end.status === 'rejected' || job.source === DELIVERY)
    return { outgoing: callback, lines: [] };
  // A webhook tells of failures too, all others deliver answers (WIRE §10.3).
  if (delivery.type !== 'webhook' && end.status !== 'done') return { outgoing: callback, lines: [] };
  const skipped = whySkipped(job, end);
  const one = delivery.type === 'webhook' ? put('delivery', delivery.url ?? '', true) : toPeople(job, claim, delivery);
  if (skipped === null) return { outgoing: [...callback, one], lines: [] };
  const said = line('delivery_skipped', { job: job.id, requestId: job.requestId }, now, { type: delivery.type, reason: skipped });
  return { outgoing: callback, lines: [said] };
}

/**
 * Through a channel, or, with any other type, an executor of the target that is named after it. Without a recipient it is put all the same: whoever sends it
 * makes a dead letter of it, which a person hears of.
 */
function toPeople(job: JobRow, claim: string, delivery: DeliverySettings): NewOutgoing {
  const to = recipients(job, delivery);
  const of = { ref: job.id, body: null, job: job.id, requestId: job.requestId, signAs: '', dedupe: `delivery:${job.id}:${claim}` };
  if (delivery.type === 'channel') {
    const { channel = '', to_field: field } = delivery;
    return { ...of, kind: 'delivery_channel', target: JSON.stringify({ channel, to, field }) };
  }
  return { ...of, kind: 'delivery_executor', target: JSON.stringify({ type: notifyTarget(delivery.type), delivery, to: to.join('|') }) };
}

/** `metadata[to_field]`, as text or number, `A|B` or a list, where it names anybody, else `to`; each once, at most a thousand. */
function recipients(job: JobRow, { to, to_field: field }: DeliverySettings): readonly string[] {
  const metadata = JSON.parse(job.metadata) as Readonly<Record<string, unknown>>;
  const named = field !== undefined && Object.hasOwn(metadata, field) ? peopleIn(metadata[field]) : [];
  return (named.length > 0 ? named : peopleIn(to)).slice(0, SEND_RECIPIENTS);
}

/** What is neither text nor number names nobody; nor does a number that JSON could not carry whole, because it would be somebody else's. */
function peopleIn(value: unknown): readonly string[] {
  const all: readonly unknown[] = Array.isArray(value) ? value : [value];
  const texts = all.map((one) => (Number.isSafeInteger(one) ? String(one) : one)).filter((one) => typeof one === 'string');
  return recipientsOf(texts) as readonly string[];
}

function whySkipped(job: JobRow, end: End): 'no_delivery' | 'nothing_to_deliver' | null {
  const metadata = JSON.parse(job.metadata) as { readonly no_delivery?: unknown };
  if (metadata.no_delivery) return 'no_delivery';
  return deliverable({ status: end.status, result: end.result, error: end.error }) ? null : 'nothing_to_deliver';
}
