import type { Log } from '@bailing/plugin-api';
import { destination, pino, type Logger } from 'pino';

const SECRET_NAME = /password|passwd|pwd|secret|token|api_?key|access_?key|authorization|cookie|credential/i;
/** Bearer values and long key-like words inside text. */
const SECRET_TEXT = /\b(Bearer\s+)[A-Za-z0-9._~+/=-]{16,}|\b((?:sk|pk|ak|tk)[-_])[A-Za-z0-9_-]{16,}|(:\/\/[^/\s:@]+:)[^@/\s]+(?=@)/g;

/**
 * Structured log to standard error; names and texts that look secret are blanked, whatever a caller passes. Written without making requests wait
 * for it; what is left is written when the process ends, unless it is killed.
 */
export function createLog(level: 'debug' | 'info' | 'warn' | 'error' | 'silent'): Log {
  return wrap(pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, destination({ dest: 2, sync: false })));
}

function wrap(logger: Logger): Log {
  const at =
    (level: 'debug' | 'info' | 'warn' | 'error') =>
    (message: string, fields: Readonly<Record<string, unknown>> = {}) => {
      if (logger.isLevelEnabled(level)) logger[level](redact(fields, 0), redactText(message));
    };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

/** A plugin's own log: every line names it. */
export function logOf(plugin: string, log: Log): Log {
  const at = (level: 'debug' | 'info' | 'warn' | 'error') => (message: string, fields?: Readonly<Record<string, unknown>>) =>
    log[level](message, { ...fields, plugin });
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

export function redactText(text: string): string {
  return text.replace(SECRET_TEXT, (_, bearer?: string, key?: string, url?: string) => `${bearer ?? key ?? url ?? ''}[redacted]`);
}

function redact(value: unknown, depth: number): object {
  const out: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value as object)) {
    out[name] =
      SECRET_NAME.test(name) && member !== null && member !== undefined && member !== '' ? '[redacted]' : redactValue(member, depth + 1);
  }
  return out;
}

function redactValue(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return redactText(value.length > 8_192 ? `${value.slice(0, 8_192)}…` : value);
  if (value instanceof Error) return redactText(value.stack ?? value.message);
  if (value === null || typeof value !== 'object') return value;
  if (depth > 6) return '[deep]';
  return Array.isArray(value) ? value.slice(0, 100).map((one) => redactValue(one, depth + 1)) : redact(value, depth);
}
