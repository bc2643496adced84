import { SUBJECT_CHARS } from '@bailing/contract';
import type { SourceSettings } from '../ports/index.js';

/**
 * The trusted subject of one source (WIRE §5): `metadata[subject_field]`, else `visitor_uid`, else the WeCom user of a
 * WeCom-sourced job. Metadata comes from the trigger's trusted backend; nothing here reads model output or arguments.
 */
export function subjectOf(
  source: SourceSettings,
  job: { readonly source: string; readonly metadata: Readonly<Record<string, unknown>> },
): string {
  const { metadata } = job;
  const named = source.subject_field === undefined ? undefined : own(metadata, source.subject_field);
  const found = named ?? own(metadata, 'visitor_uid');
  if (typeof found === 'string' || typeof found === 'number') {
    const subject = String(found).trim();
    // Control characters have no place in a header or a signed string, and a cut would make one person out of two: such a subject is no subject.
    if (subject !== '') return hasControl(subject) || subject.length > SUBJECT_CHARS ? '' : subject;
  }
  const wecom = own(metadata, 'wecom_userid');
  if (job.source.startsWith('wecom:') && typeof wecom === 'string' && wecom !== '' && !hasControl(wecom)) {
    const subject = `wecom:${wecom}`;
    return subject.length > SUBJECT_CHARS ? '' : subject;
  }
  return '';
}

function own(object: Readonly<Record<string, unknown>>, key: string): unknown {
  return Object.hasOwn(object, key) ? (object[key] ?? undefined) : undefined;
}

function hasControl(text: string): boolean {
  // eslint-disable-next-line no-control-regex -- naming them is the point
  return /[\u0000-\u001f\u007f]/.test(text);
}
