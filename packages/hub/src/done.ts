import { setImmediate as nextTurn } from 'node:timers/promises';
import { parsed } from '@bailing/engine';
import type { JobStore } from '@bailing/engine/ports';
import type { DoneView, OperateApi } from '@bailing/http';

const PAGE = 500;
/** Lines looked through for one answer; a next page goes on behind them. */
const LOOKED_MAX = 10_000;

/** Lines of the hub itself that name who did it. Most lines of a hub are its own work, so a bounded number is looked through, a page at a turn. */
export async function done(jobs: Pick<JobStore, 'hubAudit'>, beforeSeq: number, limit: number): ReturnType<OperateApi['done']> {
  const items: DoneView[] = [];
  let before = beforeSeq;
  for (let looked = 0; looked < LOOKED_MAX; looked += PAGE) {
    const page = await jobs.hubAudit(before, PAGE);
    for (const { seq, at, event, detail: text } of page) {
      before = seq;
      const detail = (parsed(text) ?? {}) as Readonly<Record<string, unknown>>;
      if (typeof detail['by'] !== 'string') continue;
      items.push({ seq, ts: new Date(at).toISOString(), event, by: detail['by'], detail });
      if (items.length === limit) return { items, next: before };
    }
    if (page.length < PAGE) return { items, next: null };
    await nextTurn();
  }
  return { items, next: before };
}
