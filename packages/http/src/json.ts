import { readStrictJson, type StrictJsonProblem } from '@bailing/contract';
import { BailingError } from '@bailing/plugin-api';

const PROBLEMS: Readonly<Record<StrictJsonProblem, string>> = {
  not_json: 'The body is not JSON',
  duplicate_key: 'A member is there twice',
  number_too_large: 'A whole number is beyond 2^53 and would be rounded; send it as a string',
  lone_surrogate: 'A string holds half of a surrogate pair',
  too_deep: 'The body is nested too deeply',
};

const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** Reads body bytes as JSON without loss (TRAPS 10); an empty body is `{}`. @throws BAILING_REQUEST_MALFORMED */
export function readJson(bytes: Uint8Array): unknown {
  const text = decode(bytes);
  if (text.trim() === '') return {};
  const read = readStrictJson(text);
  if (read.ok) return read.value;
  throw new BailingError('BAILING_REQUEST_MALFORMED', { detail: `${PROBLEMS[read.code]} (at character ${read.at}).` });
}

function decode(bytes: Uint8Array): string {
  try {
    return UTF8.decode(bytes);
  } catch {
    throw new BailingError('BAILING_REQUEST_MALFORMED', { detail: 'The body is not UTF-8.' });
  }
}
