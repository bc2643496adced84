import type { Member } from './member.js';
import { reasonOf } from './problem.js';
import type { Redactor } from './secrets.js';
import { withTimeLimit } from './time-limit.js';

/** A plugin that did not stop as it should. */
export interface StopFailure {
  readonly plugin: string;
  readonly says: string;
}

/** Stops whoever got through its setup, last first. All are tried; each has its own time limit; nothing is thrown. */
export async function stopMembers(order: readonly Member[], timeoutMs: number, redactor: Redactor): Promise<readonly StopFailure[]> {
  const failures: StopFailure[] = [];
  for (const member of [...order].reverse()) {
    const { context, plugin } = member;
    if (!context) continue;
    member.context = undefined;
    if (!member.failed) member.state = 'stopped';
    const end = await withTimeLimit(timeoutMs, () => plugin.stop?.(context));
    if (end.is === 'late') failures.push({ plugin: member.id, says: `It did not stop within ${timeoutMs} ms.` });
    if (end.is === 'failed') failures.push({ plugin: member.id, says: redactor.text(reasonOf(end.error)) });
  }
  return failures;
}
