import type { executor } from '@bailing/engine';
import type { JobStore } from '@bailing/engine/ports';
import type { ExecutorSeen } from '@bailing/http';

/** WIRE §3.5: seen within two minutes. */
const ONLINE_MS = 120_000;
const LISTED = 1_000;

/** Executors that came within two days or hold something, those that hold most first. */
export async function executorsSeen(presence: executor.Presence, jobs: Pick<JobStore, 'byExecutor'>, now: number): Promise<ExecutorSeen[]> {
  const [seen, held] = await Promise.all([presence.all(LISTED), jobs.byExecutor()]);
  const at = new Map(seen.map((one) => [one.executor, one.at]));
  const holds = new Map(held.map((one) => [one.executor, one]));
  const names = [...new Set([...holds.keys(), ...at.keys()])];
  const listed = names.map((name) => {
    const slash = name.indexOf('/');
    const seenAt = at.get(name) ?? null;
    const { count = 0, oldestAt = null } = holds.get(name) ?? {};
    const online = seenAt !== null && now - seenAt <= ONLINE_MS;
    return { executorId: name.slice(slash + 1), token: name.slice(0, slash), seenAt, online, jobs: count, oldestJobAt: oldestAt };
  });
  return listed.sort((a, b) => b.jobs - a.jobs || (b.seenAt ?? 0) - (a.seenAt ?? 0)).slice(0, LISTED);
}
