import { connect, type ConnectionOptions } from '../hub-connection.js';
import { bold, dim, plain, print } from '../out.js';

interface Approval {
  readonly id: number;
  readonly job_id: string;
  readonly request_id: string;
  readonly status: string;
  readonly tool: string;
  readonly subject: string;
  readonly summary: string;
  readonly reason: string;
  readonly policy: string;
  readonly risk: string;
  readonly args: unknown;
  readonly args_hash: string;
  readonly created_at: string;
  readonly expires_at: string | null;
  readonly decided_by: string | null;
  readonly decided_at: string | null;
  readonly decision_comment: string | null;
  readonly used_at: string | null;
  readonly void_reason: string | null;
  readonly intent: { readonly request?: { readonly method: string; readonly target: string; readonly body: string } } | null;
}

export interface ListOptions extends ConnectionOptions {
  readonly status: string;
  readonly json?: boolean;
}

/** Lists frozen calls, newest first. */
export async function listApprovals(options: ListOptions): Promise<void> {
  const rows = (await connect(options).request(
    'GET',
    `/admin/api/tool-approvals?status=${encodeURIComponent(options.status)}`,
  )) as Approval[];
  if (options.json === true) return print(JSON.stringify(rows, null, 2));
  if (rows.length === 0) return print(`No approval is ${options.status === 'all' ? 'there' : options.status}.`);
  for (const row of rows)
    print(
      `${bold(String(row.id).padStart(6))}  ${row.status.padEnd(8)} ${plain(row.summary)} ${dim(`for ${plain(row.subject) || 'nobody'}, ${plain(row.reason)}, since ${row.created_at}`)}`,
    );
}

/** Shows one frozen call whole: the arguments and exactly what will be sent. */
export async function showApproval(id: string, options: ConnectionOptions & { readonly json?: boolean }): Promise<void> {
  const row = (await connect(options).request('GET', `/admin/api/tool-approvals/${encodeURIComponent(id)}`)) as Approval;
  if (options.json === true) return print(JSON.stringify(row, null, 2));
  const { method = '', target = '', body = '' } = row.intent?.request ?? {};
  const facts: readonly (readonly [string, string | null])[] = [
    ['state', row.status],
    ['what', row.summary],
    ['why held', `${row.reason} (${row.policy}, risk ${row.risk})`],
    ['for', row.subject],
    ['tool', row.tool],
    ['arguments', JSON.stringify(row.args)],
    ['will send', `${method} ${target} ${body}`],
    ['job', `${row.job_id} (request ${row.request_id})`],
    ['asked', row.created_at],
    ['expires', row.expires_at],
    ['decided', row.decided_by === null ? null : `${row.decided_by} at ${row.decided_at ?? ''} ${row.decision_comment ?? ''}`.trim()],
    ['ran', row.used_at],
    ['void because', row.void_reason],
  ];
  print(bold(`Approval ${String(row.id)}`));
  for (const [name, value] of facts) if (value !== null && value !== '') print(`  ${name.padEnd(13)}${plain(value)}`);
}

export interface DecideOptions extends ConnectionOptions {
  readonly as?: string;
  readonly comment?: string;
}

/** Approves or denies at the hub's own desk. */
export async function decideApproval(id: string, verdict: 'approve' | 'deny', options: DecideOptions): Promise<void> {
  const body = {
    ...(options.as !== undefined && { approver: options.as }),
    ...(options.comment !== undefined && { comment: options.comment }),
  };
  const answer = (await connect(options).request('POST', `/admin/api/tool-approvals/${encodeURIComponent(id)}/${verdict}`, body)) as {
    status: string;
    rerun: boolean;
    rerun_when?: string;
  };
  const goesOn =
    answer.rerun_when === 'at_finish' ? ' Its job runs again when it has ended.' : answer.rerun ? ' Its job runs again now.' : '';
  print(`Approval ${id} is ${answer.status}.${goesOn}`);
}
