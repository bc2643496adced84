import type { Format } from 'ajv';
import { fullFormats } from 'ajv-formats/dist/formats.js';

/** Longest text that a format made of a regular expression is asked about; the native engine may need length² steps. */
const MAX_FORMAT_LENGTH = 4_096;

/** The formats of ajv-formats with their expressions bounded. `regex` is the schema room's own judgement. */
export function boundedFormats(isPattern: (text: string) => boolean): Readonly<Record<string, Format>> {
  return Object.fromEntries(
    Object.entries(fullFormats as Readonly<Record<string, Format>>).map(([name, format]) => {
      if (name === 'regex') return [name, isPattern];
      if (format instanceof RegExp) return [name, (text: string) => text.length <= MAX_FORMAT_LENGTH && format.test(text)];
      if (name !== 'uri' || typeof format !== 'function') return [name, format];
      return [name, (text: string) => text.length <= MAX_FORMAT_LENGTH && format(text) === true];
    }),
  );
}

export function knownFormat(name: string): boolean {
  return Object.hasOwn(fullFormats, name);
}
