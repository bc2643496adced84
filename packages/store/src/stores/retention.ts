import type { Ms, Pruned, RetentionStore } from '@bailing/engine/ports';
import { CutPlan } from '../ledger/plan-cut.js';
import { chainAfter } from '../statements/audit-reads.js';
import { failuresAfter, journalAfter, linesUpTo, type OldChain, oldChains, oldestOpenJob, sentBefore } from '../statements/retention.js';
import { LIST_MAX } from '../statements/statement.js';
import { type PlannedCut, pruneLedger, retellCuts, tellCuts } from '../units/prune-ledger.js';
import { pruneFailures, pruneJournal, pruneSent } from '../units/prune-journal.js';
import { type House, read } from './house.js';

/** Rows in one commit: a few milliseconds for whoever waits behind it. */
const ROWS = 128;
/** Lines of the ledger in one commit; they are long. */
const LINES = 64;
/** Lines looked at before that: a millisecond or two of the process. */
const READ = 128;
/** Chains told by one line, which keeps its detail under the 64 KiB of a field. */
const CHAINS = 64;
/** Lines of a job may be a little older than its row. */
const MARGIN_MS = 60_000;

const NOTHING: Pruned = Object.freeze({ removed: 0 });

/** Removes what nobody needs any more, a batch at a time: the caller takes the next when it likes, and stops when it likes. */
export class SqlRetentionStore implements RetentionStore {
  constructor(private readonly house: House) {}

  async *journal(before: Ms): AsyncGenerator<Pruned, void, undefined> {
    for (let after = 0; ;) {
      const page = await read(this.house, journalAfter, [after, ROWS]);
      const old = page.filter(({ state, updated_at: at }) => state === 'completed' && at <= before);
      yield old.length === 0 ? NOTHING : { removed: await this.house.lanes.submit(pruneJournal(old, before)) };
      const last = page.at(-1);
      // What comes after is younger still.
      if (!last || page.length < ROWS || last.created_at > before) return;
      after = last.id;
    }
  }

  async *failures(before: Ms): AsyncGenerator<Pruned, void, undefined> {
    for (let after = ''; ;) {
      const jobs = (await read(this.house, failuresAfter, [after, LIST_MAX])).map((row) => row.job_id);
      if (jobs.length > 0) yield { removed: await this.house.lanes.submit(pruneFailures(jobs, before)) };
      const last = jobs.at(-1);
      if (last === undefined || jobs.length < LIST_MAX) return;
      after = last;
    }
  }

  async *sent(before: Ms): AsyncGenerator<Pruned, void, undefined> {
    for (let removed = ROWS; removed > 0;) {
      const ids = (await read(this.house, sentBefore, [before, ROWS])).map(({ id }) => id);
      removed = ids.length === 0 ? 0 : await this.house.lanes.submit(pruneSent(ids));
      yield { removed };
    }
  }

  async *ledger(before: Ms): AsyncGenerator<Pruned, void, undefined> {
    const [open] = await read(this.house, oldestOpenJob, []);
    const upTo = Math.min(before, (open?.at ?? Infinity) - MARGIN_MS);
    for (let after = 0; ;) {
      const chains = await read(this.house, oldChains, [after, upTo, CHAINS]);
      const last = chains.at(-1);
      if (!last) return;
      yield* this.#cut(chains, upTo);
      after = last.id;
    }
  }

  /** Tells first where chains are cut, then removes: a round that breaks off leaves what the next one finds told already. */
  async *#cut(chains: readonly OldChain[], upTo: Ms): AsyncGenerator<Pruned, void, undefined> {
    const planned: PlannedCut[] = [];
    const verified: (readonly [writer: number, upTo: number])[] = [];
    for (const chain of chains) {
      const plan = yield* this.#plan(chain, upTo);
      if (plan.cut) planned.push(plan.cut);
      verified.push([chain.id, plan.after]);
    }
    if (planned.length > 0) await this.house.lanes.submit(tellCuts(planned, upTo));
    // Not as far as was told before: what was told then may be what somebody has edited since.
    for (const [writer, last] of verified) yield* this.#remove(writer, last);
  }

  async *#plan(chain: OldChain, upTo: Ms): AsyncGenerator<Pruned, CutPlan, undefined> {
    const plan = new CutPlan(chain, upTo);
    while (plan.take(await read(this.house, chainAfter, [chain.id, plan.after, READ]))) yield NOTHING;
    if (plan.broken) yield { removed: 0, broken: chain.name };
    return plan;
  }

  async *#remove(writer: number, upTo: number): AsyncGenerator<Pruned, void, undefined> {
    while ((await this.house.lanes.submit(retellCuts(writer, upTo, LINES))) > 0) yield NOTHING;
    for (let removed = 1; removed > 0;) {
      const lines = await read(this.house, linesUpTo, [writer, upTo, LINES]);
      removed = lines.length === 0 ? 0 : await this.house.lanes.submit(pruneLedger(writer, lines));
      yield { removed };
    }
  }
}
