import type { JobCursor, JobHead } from '@bailing/engine/ports';
import { malformed } from './members.js';
import type { RouteRequest } from './route.js';

const CURSOR = /^(\d{1,15})_([0-9a-f-]{1,64})$/;

/** `cursor` of the query: what the page before said; undefined for the first page. @throws BAILING_REQUEST_MALFORMED */
export function jobCursor({ query }: RouteRequest): JobCursor | undefined {
  const text = query.get('cursor');
  if (text === null || text === '') return undefined;
  const [, at, id] = CURSOR.exec(text) ?? [];
  if (at === undefined || id === undefined) throw malformed('cursor', 'cursor is what the page before it gave, as it was given.');
  return { createdAt: Number(at), id };
}

export interface JobPage {
  readonly jobs: readonly JobHead[];
  /** Absent on the last page. */
  readonly next?: string;
}

/** Of one job more than was asked for: the page, and where the next one begins. */
export function jobPage(found: readonly JobHead[], limit: number): JobPage {
  const jobs = found.slice(0, limit);
  const last = jobs.at(-1);
  return found.length > limit && last ? { jobs, next: `${String(last.createdAt)}_${last.id}` } : { jobs };
}
