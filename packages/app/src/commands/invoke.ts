import type { DebugInvokeView, DebugRequestView } from '@bailing/http';
import { connect, type ConnectionOptions } from '../hub-connection.js';
import { bold, CommandFailure, dim, plain, print } from '../out.js';

export interface InvokeOptions extends ConnectionOptions {
  readonly args?: string;
  readonly subject?: string;
  readonly job?: string;
  readonly allowRisky?: boolean;
  readonly json?: boolean;
}

/** Has a running hub make one call of one tool, and shows the signed bytes and the answer. */
export async function invoke(provider: string, tool: string, options: InvokeOptions): Promise<void> {
  const { args, subject, job, allowRisky, json } = options;
  const answer = (await connect(options).request('POST', `/admin/api/tool-providers/${encodeURIComponent(provider)}/debug-invoke`, {
    tool,
    ...(args !== undefined && { args }),
    ...(subject !== undefined && { on_behalf_of: subject }),
    ...(job !== undefined && { job_id: job }),
    ...(allowRisky === true && { allow_risky: true }),
  })) as DebugInvokeView;
  if (json === true) print(JSON.stringify(answer, null, 2));
  else printAnswer(answer);
  if (json !== true && answer.ok && answer.reason !== undefined) print(plain(answer.reason));
  if (!answer.ok) throw new CommandFailure(said(answer));
}

function printAnswer({ job_id: job, repeated, request, response }: DebugInvokeView): void {
  print(`${bold('job')} ${job}${repeated ? dim(' (asked for before; nothing was sent now)') : ''}`);
  if (request) printRequest(request);
  if (!response) return;
  print(`${bold('answer')} ${String(response.status)} ${dim(`after ${String(response.duration_ms)} ms`)}`);
  print(`    ${plain(response.text)}${response.truncated ? dim(' (cut)') : ''}`);
}

function printRequest({ method, url, headers, body, body_encoding: encoding, signature_material: material }: DebugRequestView): void {
  print(bold(`${method} ${plain(url)}`));
  for (const [name, value] of Object.entries(headers)) print(`    ${plain(name)}: ${plain(value)}`);
  if (body !== '') print(`    ${dim(`body, ${encoding}`)}\n    ${plain(body)}`);
  print(`    ${dim('string to sign')}\n    ${plain(material)}`);
}

function said({ reason, fix, response }: DebugInvokeView): string {
  if (reason === undefined) return `The business answered ${String(response?.status ?? 0)}.`;
  return fix === undefined ? plain(reason) : `${plain(reason)} ${fix}`;
}
