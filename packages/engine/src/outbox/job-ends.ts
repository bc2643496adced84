import { BailingError } from '@bailing/plugin-api';
import { withGovernance } from '../approvals/index.js';
import { deliveryBody } from '../delivery/index.js';
import { jobView } from '../jobs/view.js';
import type { ApprovalStore, CallStore, JobRow, JobStore, Outgoing, Settings } from '../ports/index.js';
import type { OutboxSender, SendEnd } from './sender.js';

/** One signed POST; answers the receiver's status. `trusted`: an operator wrote the address, so it may be private. */
export type PostSigned = (
  message: { readonly url: string; readonly body: string; readonly signAs: string; readonly trusted: boolean },
  signal: AbortSignal,
) => Promise<{ readonly status: number }>;

export interface JobEndSenderDeps {
  readonly jobs: Pick<JobStore, 'get'>;
  readonly approvals: Pick<ApprovalStore, 'ofJob'>;
  readonly calls: Pick<CallStore, 'recorded' | 'unresolved'>;
  readonly settings: () => Settings;
  readonly post: PostSigned;
}

/** Tells the end of a job to the address its request or its route named: the job object as `GET /jobs/{id}` shows it (WIRE §10.2). */
export function callbackSender(deps: JobEndSenderDeps): OutboxSender {
  return senderOf('callback', deps, async (job) => JSON.stringify(jobView(await withGovernance(job, deps))));
}

/** Delivers the answer of a job to the webhook of its route (WIRE §10.3). */
export function deliverySender(deps: JobEndSenderDeps): OutboxSender {
  return senderOf('delivery_webhook', deps, (job) =>
    Promise.resolve(deliveryBody(job, deps.settings().route(job.route)?.name ?? job.route)),
  );
}

/** Tells an alert to the webhook of its rule (WIRE §10.4); its body was made with it. */
export function alertSender(deps: Pick<JobEndSenderDeps, 'post'>): OutboxSender {
  const event = 'alert_webhook';
  const unmade = { is: 'final', error: 'an alert without a body', event } as const;
  return { event, compose: () => Promise.resolve(unmade), send: (row, signal) => attempt(event, row, signal, deps) };
}

function senderOf(event: string, deps: JobEndSenderDeps, body: (job: JobRow) => Promise<string>): OutboxSender {
  return {
    event,
    compose: async (row) => {
      const job = await deps.jobs.get(row.ref);
      if (!job) return { is: 'moot', reason: 'job_unknown', event: `${event}_skipped` };
      // Queued again before this was sent: the next end has an outgoing of its own.
      if (!['done', 'error', 'rejected'].includes(job.status)) return { is: 'moot', reason: 'job_runs_again', event: `${event}_skipped` };
      return { is: 'body', body: await body(job), event };
    },
    send: (row, signal) => attempt(event, row, signal, deps),
  };
}

/** WIRE §10.1: 2xx is done; 4xx except 429 is final; 429, 5xx and the network are tried again. */
async function attempt(
  event: string,
  row: Outgoing & { readonly body: string },
  signal: AbortSignal,
  deps: Pick<JobEndSenderDeps, 'post'>,
): Promise<SendEnd> {
  const target = JSON.parse(row.target) as { readonly url: string; readonly trusted: boolean };
  const url = shown(target.url);
  try {
    const { status } = await deps.post({ ...target, body: row.body, signAs: row.signAs }, signal);
    if (status >= 200 && status <= 299) return { is: 'sent', event, url, status };
    const final = status >= 400 && status <= 499 && status !== 429;
    return { is: final ? 'final' : 'retry', error: `the receiver answered ${String(status)}`, event, url, status };
  } catch (error) {
    const never = error instanceof BailingError && error.entry.retry === 'never';
    return { is: never ? 'final' : 'retry', error: error instanceof Error ? error.message : 'the webhook failed', event, url };
  }
}

/** An address as the audit shows it: credentials and query may be secrets. */
function shown(address: string): string {
  const url = new URL(address);
  return `${url.origin}${url.pathname}`;
}
