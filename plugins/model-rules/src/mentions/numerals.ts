const DIGITS: Readonly<Record<string, number>> = { 零: 0, 〇: 0, 一: 1, 二: 2, 两: 2, 三: 3, 四: 4, 五: 5, 六: 6, 七: 7, 八: 8, 九: 9 };
const SCALES: Readonly<Record<string, number>> = { 十: 10, 百: 100, 千: 1_000 };

export const HAN_NUMERAL = '[零〇一二两三四五六七八九十百千万]';

/**
 * 三百二十 → 320, 一百零二 → 102, and as it is spoken, 一百二 → 120 and 一万五 → 15000: a last digit right behind a large scale counts in the
 * next smaller one. Undefined where the characters are no number.
 */
export function hanNumber(text: string): number | undefined {
  const [high, low, more] = text.split('万');
  if (high === undefined || more !== undefined) return undefined;
  if (low === undefined) return belowTenThousand(high);
  const front = belowTenThousand(high);
  if (front === undefined) return undefined;
  if (low === '') return front * 10_000;
  const spoken = low.length === 1 ? DIGITS[low] : undefined;
  const back = spoken === undefined ? belowTenThousand(low) : spoken * 1_000;
  return back === undefined ? undefined : front * 10_000 + back;
}

function belowTenThousand(text: string): number | undefined {
  let total = 0;
  let digit: number | undefined;
  let scale = 0;
  let zero = false;
  for (const char of text) {
    const next = SCALES[char];
    if (next !== undefined) {
      total += (digit ?? 1) * next;
      digit = undefined;
      scale = next;
      zero = false;
      continue;
    }
    if (digit !== undefined && digit !== 0) return undefined;
    digit = DIGITS[char];
    if (digit === undefined) return undefined;
    if (digit === 0) zero = true;
  }
  if (digit === undefined) return text === '' ? undefined : total;
  return total + (scale >= 100 && !zero ? (digit * scale) / 10 : digit);
}

const ONES =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
const WORD = [...ONES.slice(1), ...TENS, 'hundred', 'thousand', 'million', 'dozen'].join('|');

/** A run of English number words: `three hundred and twenty`, `fifty-five`, `two dozen`. */
export const ENGLISH_NUMERAL = new RegExp(`\\b(?:${WORD})(?:(?:[\\s-]+|\\s+and\\s+)(?:${WORD}))*\\b`, 'gi');

export function englishNumber(text: string): number | undefined {
  let total = 0;
  let part = 0;
  for (const word of text.toLowerCase().split(/[\s-]+/)) {
    const one = ONES.indexOf(word);
    const ten = TENS.indexOf(word);
    if (one >= 0) part += one;
    else if (ten >= 0) part += 20 + 10 * ten;
    else if (word === 'hundred') part = (part === 0 ? 1 : part) * 100;
    else if (word === 'dozen') part = (part === 0 ? 1 : part) * 12;
    else if (word === 'thousand' || word === 'million') {
      total += (part === 0 ? 1 : part) * (word === 'thousand' ? 1_000 : 1_000_000);
      part = 0;
    } else if (word !== 'and') return undefined;
  }
  return total + part;
}
