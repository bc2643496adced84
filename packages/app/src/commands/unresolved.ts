import { connect, type ConnectionOptions } from '../hub-connection.js';
import { bold, CommandFailure, plain, print } from '../out.js';

interface Unresolved {
  readonly id: number;
  readonly attempt: number;
  readonly job_id: string;
  readonly subject: string;
  readonly provider: string;
  readonly tool: string;
  readonly state: string;
  readonly reason: string;
  readonly args: unknown;
  readonly args_hash: string;
  readonly idempotency_key: string;
  readonly request_digest: string;
  readonly attempted_at: string;
  readonly not_applied_after: string;
  readonly evidence: unknown;
}

/** Lists writes nobody knows the outcome of, with everything to compare with the records of the business. */
export async function listUnresolved(options: ConnectionOptions & { readonly json?: boolean }): Promise<void> {
  const { items } = (await connect(options).request('GET', '/admin/api/unresolved?limit=200')) as { items: Unresolved[] };
  if (options.json === true) return print(JSON.stringify(items, null, 2));
  if (items.length === 0) return print('No write is unresolved.');
  for (const row of items) {
    print(
      `${bold(String(row.id))}  ${row.tool} of ${row.provider}, ${row.state} (${plain(row.reason)}), for ${plain(row.subject) || 'nobody'}`,
    );
    print(`    arguments        ${plain(JSON.stringify(row.args))}`);
    print(`    idempotency key  ${row.idempotency_key}`);
    print(`    arguments hash   ${row.args_hash}, request digest ${row.request_digest}`);
    print(`    sent             ${row.attempted_at}, attempt ${String(row.attempt)}, job ${row.job_id}`);
    print(`    not_applied      can be said after ${row.not_applied_after}`);
    if (row.evidence !== null) print(`    evidence         ${plain(JSON.stringify(row.evidence))}`);
  }
}

export interface SettleOptions extends ConnectionOptions {
  readonly verdict: string;
  readonly evidence: string;
  readonly as?: string;
  readonly rerun: boolean;
}

/** Says what the records of the business show about one of them. The attempt that is on the list now is the one that is settled. */
export async function settleUnresolved(id: string, options: SettleOptions): Promise<void> {
  const hub = connect(options);
  const { items } = (await hub.request('GET', '/admin/api/unresolved?limit=200')) as { items: Unresolved[] };
  const row = items.find((one) => String(one.id) === id);
  if (!row) throw new CommandFailure(`Nothing unresolved has the number ${id}. See \`bailing unresolved list\`.`);
  const body = { verdict: options.verdict.replace('-', '_'), evidence: options.evidence, attempt: row.attempt, rerun: options.rerun };
  const named = options.as === undefined ? body : { ...body, by: options.as };
  const answer = (await hub.request('POST', `/admin/api/unresolved/${id}/settle`, named)) as { verdict: string; rerun: boolean };
  print(`${row.tool} (${id}) is settled as ${answer.verdict}.${answer.rerun ? ' Its job goes on.' : ''}`);
}
