import { connect, type ConnectionOptions } from '../hub-connection.js';
import { bold, CommandFailure, plain, print } from '../out.js';

interface DeadLetter {
  readonly id: number;
  readonly channel: string;
  readonly recipient: string;
  readonly parent_job_id: string;
  readonly error: string;
  readonly attempts: number;
  readonly resolved: boolean;
  readonly created_at: string;
}

/** Lists what could not be sent. */
export async function listOutbox(options: ConnectionOptions & { readonly all?: boolean; readonly json?: boolean }): Promise<void> {
  const { items } = (await connect(options).request('GET', `/admin/api/delivery-dlq${options.all === true ? '?all=1' : ''}`)) as {
    items: DeadLetter[];
  };
  if (options.json === true) return print(JSON.stringify(items, null, 2));
  if (items.length === 0) return print('Nothing failed to be sent.');
  for (const row of items) {
    const state = row.resolved ? 'put aside' : `dead after ${String(row.attempts)} attempts`;
    print(
      `${bold(String(row.id).padStart(6))}  ${row.channel} to ${plain(row.recipient)}, ${state}: ${plain(row.error)} (job ${row.parent_job_id})`,
    );
  }
}

export async function resendLetter(id: string, options: ConnectionOptions): Promise<void> {
  const answer = (await connect(options).request('POST', `/admin/api/delivery-dlq/${encodeURIComponent(id)}/resend`)) as { note?: string };
  if (answer.note !== undefined) throw new CommandFailure(`Letter ${id} was not sent now: ${answer.note}.`);
  print(`Letter ${id} was sent.`);
}

export async function resolveLetter(id: string, options: ConnectionOptions): Promise<void> {
  const answer = (await connect(options).request('POST', `/admin/api/delivery-dlq/${encodeURIComponent(id)}/resolve`)) as { note?: string };
  print(answer.note === undefined ? `Letter ${id} was put aside.` : `Letter ${id}: ${answer.note}.`);
}
