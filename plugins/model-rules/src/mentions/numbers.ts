import type { Masked, Mention } from './mention.js';
import { unitAfter, unitBefore } from './units.js';

const WORDS = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve'];
const DIGITS: Readonly<Record<string, number>> = { 零: 0, 〇: 0, 一: 1, 二: 2, 两: 2, 三: 3, 四: 4, 五: 5, 六: 6, 七: 7, 八: 8, 九: 9 };
const SCALES: Readonly<Record<string, number>> = { 十: 10, 百: 100, 千: 1_000, 万: 10_000 };
const MEASURE = '(?=[个本件台箱只套张份晚天夜日间人位元块次瓶盒包袋支条辆册页周月年]|公斤|小时|分钟|美元|欧元|人民币)';

/** Numbers with what they count. Thousands separators, decimals, `k`, 万, number words and Chinese numerals before a measure word. */
export function takeNumbers(masked: Masked): Mention[] {
  return [
    ...masked.take(/(?<![\w.])[-−]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:\s?k\b|\s?万)?(?![\d])/gi, (m) => {
      const scale = /k$/i.test(m[0]) ? 1_000 : m[0].endsWith('万') ? 10_000 : 1;
      const value = Number(m[0].replace(/[,\sk万]/gi, '').replace('−', '-')) * scale;
      return numbered(masked.text, m, rounded(value));
    }),
    ...masked.take(new RegExp(`\\b(${WORDS.slice(1).join('|')})\\b`, 'gi'), (m) => {
      const value = WORDS.indexOf(m[0].toLowerCase());
      return { ...numbered(masked.text, m, value), ...(value === 1 && { weak: true }) };
    }),
    ...masked.take(new RegExp(`[零〇一二两三四五六七八九十百千万]+${MEASURE}`, 'g'), (m) => {
      const value = hanNumber(m[0]);
      return value === undefined ? undefined : { ...numbered(masked.text, m, value), ...(m[0] === '一' && { weak: true }) };
    }),
  ];
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

/** 三百二十 → 320. Undefined where the characters are no number. */
export function hanNumber(text: string): number | undefined {
  let total = 0;
  let part = 0;
  let digit: number | undefined;
  for (const char of text) {
    const scale = SCALES[char];
    if (scale === undefined) {
      digit = DIGITS[char];
      if (digit === undefined) return undefined;
    } else if (scale === 10_000) {
      total = (total + part + (digit ?? 0)) * scale;
      part = 0;
      digit = undefined;
    } else {
      part += (digit ?? 1) * scale;
      digit = undefined;
    }
  }
  return total + part + (digit ?? 0);
}
