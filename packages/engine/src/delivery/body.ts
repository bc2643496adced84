import type { JobRow } from '../ports/index.js';
import { attachmentsOf } from './attachments.js';

type Members = Readonly<Record<string, unknown>>;
type Ended = Pick<JobRow, 'status' | 'result' | 'error'>;

const TEXT_CHARS = 1_800;
const ERROR_CHARS = 500;
const EVIDENCE_LINES = 8;
const FOOTER = '— Bailing';

/** Whether an end holds anything a person could read (WIRE §10.3). */
export function deliverable(job: Ended): boolean {
  const { text, report } = answerOf(job);
  return text !== null || report !== null || (job.status === 'error' && (job.error ?? '') !== '');
}

/** The body of a route's delivery webhook (WIRE §10.3), as JSON text. */
export function deliveryBody(job: JobRow, routeName: string): string {
  const { text, report } = answerOf(job);
  return JSON.stringify({
    kind: 'delivery',
    job_id: job.id,
    request_id: job.requestId,
    route_name: routeName,
    status: job.status,
    message: messageOf(job, routeName),
    text,
    attachments: attachmentsOf(text ?? ''),
    report,
    error: job.error,
    metadata: JSON.parse(job.metadata) as unknown,
    finished_at: new Date(job.updatedAt).toISOString(),
  });
}

/** An answer as a message for people: the whole text, or of a report its main lines. */
export function answerText(job: JobRow, routeName: string): string {
  const { text } = answerOf(job);
  return text ?? messageOf(job, routeName);
}

function answerOf(job: Ended): { readonly text: string | null; readonly report: Members | null } {
  const result = objectOf(job.result === null ? null : (JSON.parse(job.result) as unknown)) ?? {};
  const text = typeof result.text === 'string' && result.text.trim() !== '' ? result.text : null;
  return { text, report: objectOf(result.report) };
}

/** A short notice for people: of a report its main lines, of a text its beginning, of a failure its reason. */
function messageOf(job: JobRow, routeName: string): string {
  const { text, report } = answerOf(job);
  if (job.status === 'error') return [`${routeName}: failed`, (job.error ?? '').slice(0, ERROR_CHARS)].join('\n');
  if (report) return [titleOf(report, routeName), ...reportLines(report)].join('\n');
  return [routeName, (text ?? '').slice(0, TEXT_CHARS), FOOTER].join('\n');
}

function titleOf(report: Members, routeName: string): string {
  return typeof report.title === 'string' && report.title !== '' ? report.title.slice(0, 200) : routeName;
}

function reportLines(report: Members): string[] {
  const kinds = [words(report.severity), words(report.category)].filter((one) => one !== '');
  const evidence = Array.isArray(report.evidence) ? report.evidence.slice(0, EVIDENCE_LINES).map((one) => `- ${words(one)}`) : [];
  const next = words(report.next_step ?? report.next);
  return [words(report.summary), kinds.join(' / '), ...evidence, next].filter((one) => one !== '' && one !== '- ');
}

function words(value: unknown): string {
  if (typeof value === 'string' || typeof value === 'number') return String(value).slice(0, TEXT_CHARS);
  return value === null || value === undefined ? '' : JSON.stringify(value).slice(0, TEXT_CHARS);
}

function objectOf(value: unknown): Members | null {
  return value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as Members) : null;
}
