import { cutUtf8, sha256Hex, utf8Length } from '@bailing/contract';
import { isWebAddress, messageOf } from './arguments.js';
import { BUILTIN, SEND_MESSAGE, type OutFile } from './message.js';

type Facts = Readonly<Record<string, unknown>>;

const CONTENT_CHARS = 16_000;
const NAMED_RECIPIENTS = 1_000;

export function isSend(tool: { readonly provider: string; readonly name: string }): boolean {
  return tool.provider === BUILTIN && tool.name === SEND_MESSAGE;
}

const EVENTS: Readonly<Record<string, string>> = {
  tool_call: 'builtin_send_call',
  tool_blocked: 'builtin_send_blocked',
  tool_call_deduped: 'builtin_send_deduped',
  tool_reconciliation_required: 'builtin_send_reconciliation_required',
};

/** The name of an event where it is about a message (WIRE §13.2). */
export function sendEvent(event: string, detail: Facts): string {
  if (event === 'tool_result') return detail.ok === true ? 'builtin_send' : 'builtin_send_error';
  return EVENTS[event] ?? event;
}

/** What audit keeps of a message: who, how much and which files, not the text (WIRE §13.2). */
export function sendEvidence(args: Facts): Facts {
  const { channel, to, text, files } = args;
  const recipients: readonly unknown[] = Array.isArray(to) ? to : [];
  return {
    channel,
    to: recipients.slice(0, NAMED_RECIPIENTS).join('|'),
    recipients: recipients.length,
    chars: typeof text === 'string' ? text.length : 0,
    files: Array.isArray(files) && files.every(isFile) ? messageOf(args).files.map(fileFacts) : [],
  };
}

function isFile(file: unknown): boolean {
  const { name, content, url } = (file ?? {}) as { name?: unknown; content?: unknown; url?: unknown };
  return typeof name === 'string' && (typeof content === 'string' || isWebAddress(url));
}

/** Of an address only where it is: a query may hold a secret. */
function fileFacts(file: OutFile): Facts {
  if ('url' in file) {
    const url = new URL(file.url);
    return { name: file.name, url: `${url.origin}${url.pathname}` };
  }
  const { content, name } = file;
  return {
    name,
    bytes: utf8Length(content),
    sha256: sha256Hex(content),
    content: cutUtf8(content.slice(0, CONTENT_CHARS), CONTENT_CHARS).text,
  };
}
