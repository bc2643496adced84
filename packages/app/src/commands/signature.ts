import fs from 'node:fs';
import type { SignatureReport } from '@bailing/engine';
import { connect, type ConnectionOptions } from '../hub-connection.js';
import { bold, CommandFailure, dim, plain, print } from '../out.js';

export interface SignatureOptions extends ConnectionOptions {
  readonly provider: string;
  readonly method: string;
  readonly target: string;
  readonly headers: string;
  readonly body?: string;
  readonly json?: boolean;
}

/** Has the hub say what it would have signed for a call as it was received. Ends with status 1 where the signature differs. */
export async function checkSignature(options: SignatureOptions): Promise<void> {
  const { provider, method, target } = options;
  const body = options.body === undefined ? '' : read(options.body);
  const path = `/admin/api/tool-providers/${encodeURIComponent(provider)}/signature-check`;
  const asked = { method, target, headers: headersOf(read(options.headers)), body };
  const report = (await connect(options).request('POST', path, asked)) as SignatureReport;
  if (!report.ok) process.exitCode = 1;
  if (options.json === true) return print(JSON.stringify(report, null, 2));
  print(report.ok ? bold('The signature is right.') : bold('The signature is not right.'));
  print(`${dim('string to sign')}\n${plain(report.string_to_sign)}`);
  for (const { part, value } of report.parts) print(`    ${part.padEnd(14)}${plain(value)}`);
  for (const { says, fix } of report.findings) print(`${plain(says)}\n    ${plain(fix)}`);
}

function read(file: string): string {
  try {
    return fs.readFileSync(file === '-' ? 0 : file, 'utf8');
  } catch {
    throw new CommandFailure(`There is no file ${file}.`);
  }
}

/** Lines of `Name: value`; anything else, such as a pasted request line, is passed over. */
function headersOf(text: string): Record<string, string> {
  const lines = text.split(/\r?\n/).flatMap((line) => {
    const found = /^([!#$%&'*+\-.^_`|~0-9A-Za-z]+):[ \t]*(.*)$/.exec(line.trim());
    return found ? [[found[1] ?? '', found[2] ?? ''] as const] : [];
  });
  return Object.fromEntries(lines);
}
