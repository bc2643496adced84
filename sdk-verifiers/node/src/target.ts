import { wireBytes } from './bytes.js';

export interface TargetOptions {
  /** The path of the tool document, put in place of the raw path; the raw query stays (SIGNING 6). */
  readonly knownPath?: string | undefined;
  /** A prefix of the provider's base URL, such as `/api`, that the hub sends but does not sign. */
  readonly basePath?: string | undefined;
}

const QUESTION = 0x3f;

/** The raw target cut at its first `?`; the query keeps the mark, and is empty when there is none. */
export function splitTarget(target: Buffer): { path: Buffer; query: Buffer } {
  const mark = target.indexOf(QUESTION);
  return mark < 0 ? { path: target, query: Buffer.alloc(0) } : { path: target.subarray(0, mark), query: target.subarray(mark) };
}

/** The target that was signed, or `null` when the stated prefix is not there. The raw target is never decoded. */
export function signedTarget(raw: string | Uint8Array, options: TargetOptions = {}): Buffer | null {
  const target = typeof raw === 'string' ? wireBytes(raw) : Buffer.from(raw);
  const { path, query } = splitTarget(target);
  if (options.knownPath !== undefined) return Buffer.concat([Buffer.from(options.knownPath, 'utf8'), query]);
  const base = (options.basePath ?? '').replace(/\/+$/, '');
  if (base === '') return target;
  const prefix = Buffer.from(base + '/', 'utf8');
  return path.subarray(0, prefix.length).equals(prefix) ? target.subarray(prefix.length - 1) : null;
}
