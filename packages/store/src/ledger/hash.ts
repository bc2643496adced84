import { hash } from 'node:crypto';
import type { Line } from '@bailing/engine/ports';
import { columnLimits } from '../migrations/migration.js';

/** What a chain starts from. */
export const GENESIS = '0'.repeat(64);

/** The parts of one line that its hash covers, in this order. */
export interface ChainedLine {
  /** The writer's name: replica, boot and lane. */
  readonly writer: string;
  readonly seq: number;
  readonly prev: string;
  readonly line: Line;
}

/**
 * Lower-case hex SHA-256 over one JSON array, version first. JSON is used because it is unambiguous for text with any character in it;
 * members are an array because the order of an array is its own.
 */
export function lineHash({ writer, seq, prev, line }: ChainedLine): string {
  const { at, job, requestId, event, stage, severity, title, summary, detail } = line;
  return hash('sha256', JSON.stringify([1, writer, seq, prev, at, job, requestId, event, stage, severity, title, summary, detail]), 'hex');
}

/**
 * A line as its columns can hold it: short members are cut by characters, lone surrogates (which no database keeps) become U+FFFD. Done
 * before hashing, so that what is read back hashes the same.
 */
export function storable(line: Line, at: number): Line {
  return {
    event: fit(line.event, 64),
    at: Math.trunc(at),
    job: fit(line.job, columnLimits.jobId),
    requestId: fit(line.requestId, columnLimits.requestId),
    stage: line.stage,
    severity: line.severity,
    title: fit(line.title, columnLimits.title),
    summary: fit(line.summary, columnLimits.summary),
    detail: wellFormed(line.detail),
  };
}

/** At most `max` characters (code points, as the columns count them). */
export function fit(text: string, max: number): string {
  const clean = wellFormed(text);
  return clean.length <= max ? clean : Array.from(clean).slice(0, max).join('');
}

const LONE_SURROGATE = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;

function wellFormed(text: string): string {
  return LONE_SURROGATE.test(text) ? text.replace(LONE_SURROGATE, '\uFFFD') : text;
}
