import type { Log } from '@bailing/plugin-api';

/** Where a command writes. Data goes to standard output, everything about it to standard error. */
export function print(text = ''): void {
  process.stdout.write(`${text}\n`);
}

export function printError(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** Ends the command with a sentence and status 1, without a stack. */
export class CommandFailure extends Error {}

const TTY = process.stdout.isTTY && process.env.NO_COLOR === undefined;

export function dim(text: string): string {
  return TTY ? `\u001b[2m${text}\u001b[0m` : text;
}

export function bold(text: string): string {
  return TTY ? `\u001b[1m${text}\u001b[0m` : text;
}

/** Control characters of foreign text never reach a terminal. */
export function plain(text: string): string {
  // eslint-disable-next-line no-control-regex -- naming them is the point
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '�').replaceAll('\n', ' ');
}

/** What a hub would log, said as a command says it. */
export const commandLog: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: (message, fields) => printError(`warning: ${message}${told(fields)}`),
  error: (message, fields) => printError(`error: ${message}${told(fields)}`),
};

function told(fields: Readonly<Record<string, unknown>> = {}): string {
  const text = Object.values(fields).map((value) => plain(typeof value === 'string' ? value : JSON.stringify(value)));
  return text.length === 0 ? '' : ` (${text.join(', ')})`;
}
