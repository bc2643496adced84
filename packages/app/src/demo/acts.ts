import type { Refund } from '@bailing/example-orders-service';
import { HubClient, type Job, type TraceEvent } from '../hub-client.js';
import { bold, CommandFailure, plain, print } from '../out.js';
import { renderTimeline } from '../timeline.js';
import type { Stage } from './stage.js';

interface Act {
  readonly title: string;
  readonly input: string;
  /** A sentence about what is not as it should be, or null. */
  readonly check: (job: Job, events: readonly TraceEvent[], refunds: readonly Refund[]) => string | null;
}

const calls = (events: readonly TraceEvent[]) => events.filter(({ event }) => event === 'tool_call').length;

const ACTS: readonly Act[] = [
  {
    title: 'A query is answered',
    input: 'Look up order A-1001',
    check: (job, events) =>
      job.status === 'done' && calls(events) === 1 && (job.result?.text ?? '').includes('A-1001') ? null : 'the order was not looked up',
  },
  {
    title: 'A refund request of 300 is created',
    input: 'Create a refund request of 300 for order A-1001 because the parcel arrived damaged',
    check: (job, events, refunds) =>
      job.status === 'done' && calls(events) === 1 && refunds.length === 1 && refunds[0]?.amount_cents === 30_000
        ? null
        : 'the business does not have exactly one refund request of 300',
  },
  {
    title: 'A refund of 5000 is held for approval and nothing is sent',
    input: 'Create a refund request of 5000 for order A-1002 because the desk never arrived',
    check: (job, events, refunds) =>
      job.status === 'done' && calls(events) === 0 && refunds.length === 1 && (job.result?.governance?.pending?.length ?? 0) === 1
        ? null
        : 'the refund of 5000 was not held',
  },
];

/** Plays the three jobs through the client API and answers how many calls left for the business. @throws CommandFailure */
export async function playActs(stage: Stage): Promise<{ jobs: number; calls: number }> {
  const client = new HubClient(stage.url, stage.clientToken);
  const admin = new HubClient(stage.url, stage.serverToken);
  let sent = 0;
  for (const [index, act] of ACTS.entries()) {
    print(`\n${bold(`${String(index + 1)}. ${act.title}`)}\n   “${act.input}”, for operator u-ada`);
    const { job_id: id } = await client.run({
      request_id: `demo:${String(index + 1)}`,
      route: 'orders',
      input: act.input,
      metadata: { operator_uid: 'u-ada' },
    });
    const job = await client.follow(id);
    const events = await admin.trace(id);
    print(renderTimeline(events));
    print(`   ${bold('answer')} ${plain(job.result?.text ?? job.error ?? '')}`);
    printTable(stage.service.refunds());
    const wrong = act.check(job, events, stage.service.refunds());
    if (wrong !== null) throw new CommandFailure(`The demo failed: ${wrong} (job ${id} ended ${job.status}).`);
    sent += calls(events);
  }
  return { jobs: ACTS.length, calls: sent };
}

/** The business's own table, not the hub's word for it. */
function printTable(refunds: readonly Refund[]): void {
  const rows = refunds.map(
    ({ id, order_no, amount_cents, status, requested_by }) =>
      `RF-${String(id)} ${order_no} ${(amount_cents / 100).toFixed(2)} ${status} for ${requested_by}`,
  );
  print(`   refunds in the business: ${rows.length === 0 ? 'none' : rows.join('; ')}`);
}
