import { BailingError } from '@bailing/plugin-api';

/** Refuses a call whose arguments cannot be sent without changing where it goes. The detail names the argument, never its value. */
export function unsafe(detail: string): BailingError {
  return new BailingError('BAILING_TARGET_UNSAFE', { detail });
}

const percent = (character: string): string => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;

/** `encodeURIComponent`, the contract's form of a path value (WIRE §6.1). */
export function encodeSegment(text: string, name: string): string {
  try {
    return encodeURIComponent(text);
  } catch {
    throw unsafe(`The argument ${JSON.stringify(name)} holds half of a surrogate pair.`);
  }
}

/** One component under `application/x-www-form-urlencoded` rules: space as `+`, everything but `A-Za-z0-9*-._` as percent-encoded UTF-8. */
export function encodeForm(text: string, name: string): string {
  return encodeSegment(text, name)
    .replace(/[!'()~]/g, percent)
    .replace(/%20/g, '+');
}

/** As encodeForm, but reserved characters that cannot end a pair or change its meaning stay (`allowReserved`). */
export function encodeReserved(text: string, name: string): string {
  return encodeForm(text, name).replace(/%(?:3A|2F|3F|40|21|24|27|28|29|2C|7E)/g, (triple) => decodeURIComponent(triple));
}

/** Text of a document's own path or query: what is already encoded stays, what a request line cannot carry is percent-encoded once. */
export function encodeLiteral(text: string, part: 'path' | 'query'): string {
  const keep = part === 'path' ? /[^A-Za-z0-9\-._~!$&'()*+,;=:@/%]+/gu : /[^A-Za-z0-9\-._~!$&'()*+,;=:@/%?[\]]+/gu;
  try {
    return text.replace(/%(?![0-9A-Fa-f]{2})/g, '%25').replace(keep, (run) => encodeURIComponent(run).replace(/[!'()*]/g, percent));
  } catch {
    throw unsafe('The path of the document holds half of a surrogate pair.');
  }
}

/** Decodes a form-encoded name for comparing; text that does not decode is its own name. */
export function decodeForm(text: string): string {
  try {
    return decodeURIComponent(text.replace(/\+/g, ' '));
  } catch {
    return text;
  }
}
