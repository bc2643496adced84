import { locate, type RefusedCall } from '../explain/where.js';
import type { Revision } from '../catalog/index.js';
import type { Ledger } from './ledger.js';
import type { MessageView } from './messages.js';
import type { Holding, JobHead, JobRow, Open, Outgoing, Settings } from '../ports/index.js';
import type { Approval } from '../ports/index.js';
import { parsed } from '../jobs/view.js';

/** One thing that explains how a job stands (WIRE §15.4). Refused calls name the fence, the setting it goes by and the fix. */
export interface Diagnosis {
  readonly severity: 'error' | 'warning' | 'info';
  readonly code: string;
  readonly title: string;
  readonly detail: string;
  readonly next_action?: string;
  readonly fence?: string;
  readonly setting?: string;
  /** How often the same thing happened. */
  readonly times?: number;
}

export interface Facts {
  readonly job: JobRow;
  readonly holding: Holding;
  readonly ledger: Ledger;
  readonly approvals: readonly Approval[];
  readonly open: readonly Open[];
  readonly letters: readonly Outgoing[];
  readonly messages: readonly MessageView[];
  /** Unended jobs of its conversation that came before it. */
  readonly ahead: readonly JobHead[];
  /** What of the store could not be read. */
  readonly unreadable: readonly string[];
  readonly settings: Settings;
  readonly current: (provider: string) => Revision | undefined;
  readonly now: number;
}

export function diagnose(facts: Facts): readonly Diagnosis[] {
  const found = [
    ...facts.unreadable.map(notRead),
    ...ofTheQueue(facts),
    ...ofTheEnd(facts),
    ...facts.open.map(unresolved),
    ...refusals(facts),
    ...facts.approvals.filter(({ status }) => status === 'pending').map(pending),
    ...facts.letters.map(deadLetter),
    ...ofTheRoute(facts),
    ...failures(facts),
  ];
  if (found.length > 0) return found;
  return [{ severity: 'info', code: 'no_obvious_issue', title: 'Nothing stands out', detail: 'No refusal, failure or wait was found.' }];
}

function notRead(what: string): Diagnosis {
  return {
    severity: 'error',
    code: 'evidence_unreadable',
    title: `Not all of it could be read: ${what}`,
    detail: 'This account of the job has nothing from there.',
    next_action: 'See bailing doctor and the log of the hub; ask again afterwards.',
  };
}

function ofTheQueue({ job, holding, ahead, now }: Facts): Diagnosis[] {
  const first = ahead.at(-1);
  if (job.status === 'queued' && first)
    return [
      {
        severity: 'info',
        code: 'queued_thread_fifo',
        title: 'The job waits for an earlier one of its conversation',
        detail: `Jobs of one conversation run one after another; ${first.id} is ${first.status}.`,
        next_action: `See why that one has not ended: bailing bundle ${first.id} --markdown, or cancel it.`,
      },
    ];
  if (job.status === 'queued' && holding.runAfter > now)
    return [
      {
        severity: 'info',
        code: 'queued_delayed',
        title: 'The job waits for its next attempt',
        detail: `It is due ${new Date(holding.runAfter).toISOString()}.`,
        next_action: 'Wait; the events say what went wrong before.',
      },
    ];
  if (job.status === 'queued')
    return [
      {
        severity: 'info',
        code: 'queued_waiting_claim',
        title: 'The job waits for a worker',
        detail: `It waits for the target ${job.target}.`,
        next_action: 'See whether a worker of that target runs: bailing doctor.',
      },
    ];
  if (holding.claim === null || !['running', 'dispatched'].includes(job.status)) return [];
  const expired = holding.leaseUntil <= now;
  return [
    {
      severity: expired ? 'warning' : 'info',
      code: expired ? 'lease_expired' : 'lease_active',
      title: expired ? 'Its worker stopped renewing' : 'Somebody works on it',
      detail: `The lease ${expired ? 'ended' : 'ends'} ${new Date(holding.leaseUntil).toISOString()}.`,
      ...(expired && { next_action: 'Another worker takes it over by itself; if none does, start one.' }),
    },
  ];
}

function ofTheEnd({ job }: Facts): Diagnosis[] {
  if (job.status !== 'error' && job.status !== 'rejected') return [];
  const code = job.status === 'error' ? 'job_error' : 'job_rejected';
  return [{ severity: 'error', code, title: `The job ended ${job.status}`, detail: job.error ?? 'No reason was kept.' }];
}

function unresolved({ key, state, reason }: Open): Diagnosis {
  const { fence, setting, fix } = locate({ code: 'BAILING_CALL_FROZEN', reason, route: '', tool: key.tool });
  return {
    severity: 'error',
    code: 'call_unresolved',
    title: `The outcome of ${key.tool} is not known`,
    detail: `State ${state}, reason ${reason}, idempotency key ${key.idem}.`,
    ...{ fence, setting, next_action: fix },
  };
}

/** Each refusal once, with how often it happened. */
function refusals(facts: Facts): Diagnosis[] {
  const counted = new Map<string, Diagnosis>();
  for (const row of [...facts.ledger.rows, ...facts.ledger.telling]) {
    if (row.event !== 'tool_blocked' && row.event !== 'rejected') continue;
    const detail = (parsed(row.detail) ?? {}) as Readonly<Record<string, unknown>>;
    const one = row.event === 'rejected' ? rejected(detail, facts) : refusal(detail, facts);
    const key = [one.code, one.title, one.detail].join('\n');
    counted.set(key, { ...one, times: (counted.get(key)?.times ?? 0) + 1 });
  }
  return [...counted.values()];
}

function refusal(detail: Readonly<Record<string, unknown>>, facts: Facts): Diagnosis {
  const about = refusedCall(detail, facts);
  const { fence, setting, fix, says } = locate(about);
  const fields = Array.isArray(detail['fields']) ? ` Fields: ${detail['fields'].map(String).join(', ')}.` : '';
  return {
    severity: 'warning',
    code: 'call_refused',
    title: `${about.tool} was refused by: ${fence}`,
    detail: `${says} (${about.code}, ${about.reason})${fields}`,
    ...{ fence, setting, next_action: fix },
  };
}

function refusedCall(detail: Readonly<Record<string, unknown>>, facts: Facts): RefusedCall {
  const word = (name: string): string | undefined => (typeof detail[name] === 'string' ? detail[name] : undefined);
  const tool = word('tool') ?? '';
  const known = toolOf(tool, facts);
  const method = word('method');
  const operation = method === undefined ? known.operation : `${method} ${word('path') ?? ''}`;
  const provider = word('provider') ?? known.provider;
  const scope = word('scope') ?? known.scope;
  const more = {
    gate: word('gate'),
    bucket: word('bucket'),
    stopped: word('stopped'),
    says: word('says'),
    operation,
    provider,
    scope,
    subjectField: known.subjectField,
  };
  return {
    code: word('code') ?? 'unknown',
    reason: word('reason') ?? '',
    route: facts.job.route,
    tool,
    ...(Object.fromEntries(Object.entries(more).filter(([, value]) => value !== undefined)) as object),
  };
}

/** Where the tool stands today among the sources of the job's route. */
function toolOf(name: string, { job, settings, current }: Facts) {
  for (const { provider, subject_field: subjectField } of settings.route(job.route)?.tools?.sources ?? []) {
    const definition = current(provider)?.tools.get(name)?.definition;
    if (definition) return { provider, subjectField, scope: definition.scope, operation: `${definition.method} ${definition.path}` };
  }
  return {};
}

function rejected(detail: Readonly<Record<string, unknown>>, { job }: Facts): Diagnosis {
  const reason = typeof detail['reason'] === 'string' ? detail['reason'] : 'no reason was kept';
  const owner = reason.startsWith('budget_client') ? `clients[${job.owner}].budget` : `routes[${job.route}].budget`;
  const setting = reason.startsWith('budget_') ? owner : `routes[${job.route}].session_policy`;
  return {
    severity: 'warning',
    code: 'launch_refused',
    title: 'The job was refused as it was accepted',
    detail: reason,
    fence: 'launch',
    setting,
    next_action: 'Send it again when there is room, or raise the limit.',
  };
}

function pending({ id, tool, reason, job }: Approval): Diagnosis {
  return {
    severity: 'warning',
    code: 'approval_pending',
    title: `${tool} waits for a decision`,
    detail: `Approval ${String(id)} of job ${job}: ${reason}.`,
    fence: 'confirmation',
    next_action: `bailing approvals show ${String(id)}, then approve or deny it.`,
  };
}

function deadLetter({ id, kind, error }: Outgoing): Diagnosis {
  return {
    severity: 'warning',
    code: 'delivery_dlq',
    title: `A ${kind} could not be delivered`,
    detail: error ?? '',
    next_action: `bailing outbox resend ${String(id)}`,
  };
}

function ofTheRoute({ job, settings }: Facts): Diagnosis[] {
  // Messages and debug calls have none.
  if (job.route === '') return [];
  const route = settings.route(job.route);
  if (!route) return [{ severity: 'warning', code: 'route_missing_now', title: 'Its route is not configured any more', detail: job.route }];
  if (route.enabled) return [];
  return [
    {
      severity: 'warning',
      code: 'route_disabled_now',
      title: 'Its route is disabled now',
      detail: job.route,
      setting: `routes[${job.route}].enabled`,
    },
  ];
}

function failures({ ledger }: Facts): Diagnosis[] {
  const errors = [...ledger.rows, ...ledger.telling].filter(({ severity, event }) => severity === 'error' && event !== 'finished');
  return errors.slice(0, 20).map(({ title, summary }) => ({ severity: 'error', code: 'trace_error_event', title, detail: summary }));
}
