import type { RateLimit } from './types.js';

const TEXT = /^([1-9][0-9]{0,8})\/(s|sec|second|m|min|minute|h|hour|d|day)$/;
const WINDOWS: Readonly<Record<string, RateLimit['window']>> = { s: '1s', m: '1m', h: '1h', d: '1d' };

/** `30/min` → `{count: 30, window: '1m'}`; the parsed form passes. `null` when it is neither. */
export function readRate(rate: string | RateLimit): RateLimit | null {
  if (typeof rate !== 'string') {
    const right = Number.isSafeInteger(rate.count) && rate.count >= 1 && Object.values(WINDOWS).includes(rate.window);
    return right ? { count: rate.count, window: rate.window } : null;
  }
  const [, count, unit] = TEXT.exec(rate) ?? [];
  const window = WINDOWS[(unit ?? '').charAt(0)];
  return count === undefined || window === undefined ? null : { count: Number(count), window };
}
