import type { Masked, Mention } from './mention.js';
import { ENGLISH_NUMERAL, englishNumber, HAN_NUMERAL, hanNumber } from './numerals.js';
import { unitAfter, unitBefore } from './units.js';

const MEASURE = '(?=[个本件台箱只套张份晚天夜日间人位元块次瓶盒包袋支条辆册页周月年]|公斤|小时|分钟|美元|欧元|人民币)';
const SCALE: Readonly<Record<string, number>> = {
  k: 1_000,
  百: 100,
  千: 1_000,
  万: 10_000,
  hundred: 100,
  thousand: 1_000,
  million: 1_000_000,
};
const SCALED =
  /(?<![\w.])([-−]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?)(?:\s?(k\b|[百千万]|hundred\b|thousand\b|million\b)(\d(?!\d))?)?(?!\d)/gi;
/** 8块5, 三块五: the digit behind is the tenth. */
const SPOKEN_MONEY = new RegExp(`(?<![\\d.])(\\d+|${HAN_NUMERAL}+)[块元](\\d|[一二三四五六七八九])(?:毛|角)?(?![\\d十百千万个块元])`, 'g');

/** Numbers with what they count: separators, decimals, scales, number words, Chinese numerals before a measure word, spoken prices. */
export function takeNumbers(masked: Masked): Mention[] {
  return [
    ...masked.take(SPOKEN_MONEY, (m) => {
      const whole = valueOf(m[1] ?? '');
      const tenth = valueOf(m[2] ?? '');
      if (whole === undefined || tenth === undefined) return undefined;
      return { ...numbered(masked.text, m, rounded(whole + tenth / 10)), unit: 'money', currency: 'CNY' };
    }),
    ...masked.take(SCALED, (m) => {
      const scale = SCALE[(m[2] ?? '').toLowerCase()] ?? 1;
      const value = Number((m[1] ?? '').replace(/,/g, '').replace('−', '-')) * scale;
      // 1万5 is spoken for 15000.
      return numbered(masked.text, m, rounded(value + (m[3] === undefined ? 0 : (Number(m[3]) * scale) / 10)));
    }),
    ...masked.take(ENGLISH_NUMERAL, (m) => {
      const value = englishNumber(m[0]);
      return value === undefined ? undefined : { ...numbered(masked.text, m, value), ...(value === 1 && { weak: true }) };
    }),
    ...masked.take(new RegExp(`${HAN_NUMERAL}+${MEASURE}`, 'g'), (m) => {
      const value = hanNumber(m[0]);
      return value === undefined ? undefined : { ...numbered(masked.text, m, value), ...(m[0] === '一' && { weak: true }) };
    }),
  ];
}

function valueOf(text: string): number | undefined {
  return /^\d+$/.test(text) ? Number(text) : hanNumber(text);
}

function numbered(text: string, match: RegExpExecArray, value: number): Mention {
  const start = match.index;
  const end = start + match[0].length;
  return { kind: 'number', start, end, text: match[0], value, ...(unitAfter(text.slice(end)) ?? unitBefore(text.slice(0, start))) };
}

/** 1.15 * 10000 is not 11499.999999999998. */
function rounded(value: number): number {
  return Number(value.toPrecision(15));
}
