import { sha256Hex } from '@bailing/contract';
import type { Body } from './body.js';
import type { Placed } from './place.js';
import { isObject, jsonText, scalarText } from './values.js';

/**
 * A multipart/form-data body of text fields: arrays repeat the name, objects are JSON parts. The boundary comes from the content, so the same
 * arguments always give the same bytes.
 */
export function multipartBody(placed: readonly Placed[]): Body {
  const parts = placed.flatMap(({ arg, value }) => partsOf(arg.name, value));
  const boundary = boundaryFor(parts.join('\r\n'));
  const lines = parts.map((part) => `--${boundary}\r\n${part}\r\n`);
  return {
    bytes: Buffer.from(`${lines.join('')}--${boundary}--\r\n`, 'utf8'),
    contentType: `multipart/form-data; boundary=${boundary}`,
  };
}

function partsOf(name: string, value: unknown): string[] {
  if (Array.isArray(value) && value.every((item) => !isObject(item) && !Array.isArray(item))) {
    return value.filter((item) => item !== null).map((item) => part(name, scalarText(item, name)));
  }
  if (isObject(value) || Array.isArray(value)) return [part(name, jsonText(value), 'application/json')];
  return [part(name, scalarText(value, name))];
}

function part(name: string, text: string, type?: string): string {
  const quoted = name.replace(/"/g, '%22').replace(/\r/g, '%0D').replace(/\n/g, '%0A');
  return `Content-Disposition: form-data; name="${quoted}"\r\n${type ? `Content-Type: ${type}\r\n` : ''}\r\n${text}`;
}

/** A boundary that does not occur in the content; hashing again finds one at once even for content made against it. */
function boundaryFor(content: string): string {
  let boundary = `bailing-${sha256Hex(content).slice(0, 32)}`;
  while (content.includes(boundary)) boundary = `bailing-${sha256Hex(boundary + content).slice(0, 32)}`;
  return boundary;
}
