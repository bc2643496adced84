import type { Health } from '@bailing/plugin-api';
import type { Member } from './member.js';
import { reasonOf } from './problem.js';
import type { Redactor } from './secrets.js';
import { withTimeLimit } from './time-limit.js';

export interface PluginHealth extends Health {
  readonly plugin: string;
  readonly optional: boolean;
}

/** How one plugin is. One that failed, throws or takes too long is not well. */
export async function healthOf(member: Member, timeoutMs: number, redactor: Redactor): Promise<PluginHealth> {
  const about = { plugin: member.id, optional: member.found.optional };
  if (member.failed) return { ...about, ok: false, says: member.problems[0]?.says ?? 'It failed.' };
  const { context, plugin } = member;
  if (!context) return { ...about, ok: false, says: member.state === 'stopped' ? 'It is stopped.' : 'It is not started.' };
  if (!plugin.health) return { ...about, ok: true };
  const end = await withTimeLimit(timeoutMs, () => plugin.health?.(context));
  if (end.is === 'late') return { ...about, ok: false, says: `It did not answer within ${timeoutMs} ms.` };
  if (end.is === 'failed') return { ...about, ok: false, says: redactor.text(reasonOf(end.error)) };
  const health = end.value;
  if (typeof health?.ok !== 'boolean') return { ...about, ok: false, says: 'It did not say how it is.' };
  return { ...about, ok: health.ok, ...(health.says !== undefined && { says: redactor.text(String(health.says)) }) };
}
