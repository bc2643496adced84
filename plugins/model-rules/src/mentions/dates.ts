import type { Masked, Mention } from './mention.js';

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const MONTH =
  '(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)';
const DAYS: Readonly<Record<string, number>> = {
  today: 0,
  tonight: 0,
  tomorrow: 1,
  yesterday: -1,
  今天: 0,
  今日: 0,
  今晚: 0,
  明天: 1,
  明日: 1,
  明晚: 1,
  后天: 2,
  昨天: -1,
  大后天: 3,
};

/** Dates and times. Relative days and days without a year need to know today; without it they are not understood rather than guessed. */
export function takeDates(masked: Masked, today: string | undefined): Mention[] {
  // A day without a year is in the year of the other day that has one.
  const year = /(?<!\d)(\d{4})[-/.年]\d{1,2}[-/.月]\d/.exec(masked.text)?.[1] ?? today?.slice(0, 4);
  return [
    ...masked.take(/(?<!\d)(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})[日号]?(?:[T\s]+(\d{1,2}):(\d{2})(?::\d{2})?)?(?!\d)/g, (m) =>
      dated(m, m[1], m[2], m[3], m[4] === undefined ? undefined : [m[4], m[5] ?? '00']),
    ),
    ...masked.take(new RegExp(`\\b${MONTH}\\.?\\s+(\\d{1,2})(?:st|nd|rd|th)?(?:,?\\s+(\\d{4}))?\\b`, 'gi'), (m) =>
      dated(m, m[3] ?? year, monthOf(m[1]), m[2]),
    ),
    ...masked.take(new RegExp(`\\b(\\d{1,2})(?:st|nd|rd|th)?\\s+(?:of\\s+)?${MONTH}\\b\\.?(?:,?\\s+(\\d{4}))?`, 'gi'), (m) =>
      dated(m, m[3] ?? year, monthOf(m[2]), m[1]),
    ),
    ...masked.take(/(?<!\d)(\d{1,2})月(\d{1,2})[日号]?/g, (m) => dated(m, year, m[1], m[2])),
    ...masked.take(/\b(?:today|tonight|tomorrow|yesterday)\b|大后天|今天|今日|今晚|明天|明日|明晚|后天|昨天/gi, (m) => relative(m, today)),
    ...masked.take(/(?<!\d)([01]?\d|2[0-3]):([0-5]\d)(?!\d)/g, (m) => clock(m, Number(m[1]), m[2] ?? '00')),
    ...masked.take(/\b(1[0-2]|0?[1-9])(?::([0-5]\d))?\s?(am|pm)\b/gi, (m) =>
      clock(m, (Number(m[1]) % 12) + (m[3]?.toLowerCase() === 'pm' ? 12 : 0), m[2] ?? '00'),
    ),
  ];
}

function monthOf(name: string | undefined): string {
  return String(MONTHS.indexOf((name ?? '').slice(0, 3).toLowerCase()) + 1);
}

function dated(
  match: RegExpExecArray,
  year: string | undefined,
  month: string | undefined,
  day: string | undefined,
  time?: readonly [string, string],
): Mention | undefined {
  const value = `${year ?? ''}-${(month ?? '').padStart(2, '0')}-${(day ?? '').padStart(2, '0')}`;
  if (!isDay(value)) return year === undefined ? vague(match) : undefined;
  const at = { start: match.index, end: match.index + match[0].length, text: match[0] };
  return time ? { ...at, kind: 'datetime', value: `${value}T${time[0].padStart(2, '0')}:${time[1]}:00` } : { ...at, kind: 'date', value };
}

function relative(match: RegExpExecArray, today: string | undefined): Mention | undefined {
  const days = DAYS[match[0].toLowerCase()];
  if (today === undefined || days === undefined || !isDay(today)) return vague(match);
  const value = new Date(Date.parse(`${today}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
  return { kind: 'date', start: match.index, end: match.index + match[0].length, text: match[0], value };
}

function vague(match: RegExpExecArray): Mention {
  return { kind: 'vague', start: match.index, end: match.index + match[0].length, text: match[0], value: match[0], weak: true };
}

function clock(match: RegExpExecArray, hour: number, minute: string): Mention {
  const value = `${String(hour).padStart(2, '0')}:${minute}`;
  return { kind: 'time', start: match.index, end: match.index + match[0].length, text: match[0], value };
}

/** A day that exists in the calendar. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const at = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text);
}
