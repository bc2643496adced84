import type { Seat } from '../calls/index.js';
import { subjectOf, type Catalogue } from '../catalog/index.js';
import type { RouteSettings, Settings } from '../ports/index.js';
import { EXPLAINED_JOB } from './request.js';
import type { ExplainQuestion } from './words.js';

/** A place in a job that does not exist: enough for fences and gates, nothing for a store. */
export function imaginedSeat(
  question: ExplainQuestion,
  route: RouteSettings,
  settings: Settings,
  catalogue: Pick<Catalogue, 'view'>,
): Seat {
  const source = question.client ?? 'unknown';
  const metadata = metadataOf(question, route);
  const subjects = new Map((route.tools?.sources ?? []).map((one) => [one.provider, subjectOf(one, { source, metadata })]));
  return {
    by: { job: EXPLAINED_JOB, claim: '', replica: '' },
    job: { id: EXPLAINED_JOB, requestId: 'explain', route: route.route_key, client: question.client ?? '', source, metadata },
    view: catalogue.view(route, settings, subjects),
    subjects,
    signal: new AbortController().signal,
  };
}

/** The subject where each source looks for it; what the metadata says itself goes first. */
function metadataOf({ subject, metadata = {} }: ExplainQuestion, route: RouteSettings): Readonly<Record<string, unknown>> {
  if (subject === undefined || subject === '') return metadata;
  const fields = new Set((route.tools?.sources ?? []).map((one) => one.subject_field ?? 'visitor_uid'));
  return { ...Object.fromEntries([...fields].map((field) => [field, subject])), ...metadata };
}
