import type { Clock, Log } from '@bailing/plugin-api';

export interface LogLine {
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly message: string;
  readonly fields?: Readonly<Record<string, unknown>>;
}

/** A log that keeps its lines. */
export function memoryLog(): Log & { readonly lines: readonly LogLine[] } {
  const lines: LogLine[] = [];
  const level =
    (name: LogLine['level']) =>
    (message: string, fields?: Readonly<Record<string, unknown>>): void =>
      void lines.push({ level: name, message, ...(fields && { fields }) });
  return { lines, debug: level('debug'), info: level('info'), warn: level('warn'), error: level('error') };
}

/** A clock that moves only when told to. Milliseconds. */
export function fixedClock(now = Date.UTC(2026, 0, 1)): Clock & { advance(ms: number): void } {
  let at = now;
  return {
    now: () => at,
    advance: (ms) => {
      at += ms;
    },
  };
}
