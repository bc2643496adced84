import type { Ms, RevisionText } from '@bailing/engine/ports';
import { change, rows, type Steps, type Unit } from '../lane/unit.js';
import {
  allSpecSets,
  currentRevisions,
  deleteRevision,
  deleteSpecSet,
  insertSpecSet,
  keepSpecSet,
  oldRevisions,
  setsOfApprovals,
  setsOfJobs,
} from '../statements/spec-revisions.js';
import { inserted, keepText } from './publish-spec.js';

/** Removed in one commit at most; the next round takes the rest. */
const AT_ONCE = 64;

/** One commit: a set that jobs will be stamped with, and every text it names. */
export function keepSet(id: string, texts: readonly RevisionText[]): Unit<void> {
  const members = JSON.stringify(Object.fromEntries(texts.map((text) => [text.provider, text.id])));
  return {
    name: 'keep-spec-set',
    key: `spec-set:${id}`,
    *run(tx) {
      for (const text of texts) yield* keepText(tx, text);
      if ((yield* change(keepSpecSet, [tx.now, id])) === 0) yield* inserted(insertSpecSet, [id, members, tx.now]);
    },
  };
}

/** One commit: what nobody needs any more. */
export function collectSpecs(before: Ms): Unit<{ readonly sets: number; readonly texts: number }> {
  return {
    name: 'collect-specs',
    key: 'collect-specs',
    *run() {
      const needed = yield* setsInUse();
      const kept = new Set<string>();
      let sets = 0;
      for (const { id, members, kept_at: keptAt } of yield* rows(allSpecSets, [])) {
        const over = keptAt <= before && !needed.has(id) && sets < AT_ONCE;
        if (over && (yield* change(deleteSpecSet, [id, before])) > 0) sets += 1;
        else for (const revision of Object.values(JSON.parse(members) as Record<string, string>)) kept.add(revision);
      }
      for (const { revision } of yield* rows(currentRevisions, [])) if (revision !== null) kept.add(revision);
      let texts = 0;
      for (const { id } of yield* rows(oldRevisions, [before, AT_ONCE + kept.size]))
        if (!kept.has(id) && texts < AT_ONCE) texts += yield* change(deleteRevision, [id, before]);
      return { sets, texts };
    },
  };
}

function* setsInUse(): Steps<ReadonlySet<string>> {
  const used = [...(yield* rows(setsOfJobs, [])), ...(yield* rows(setsOfApprovals, []))];
  return new Set(used.flatMap(({ spec_set: id }) => (id === null ? [] : [id])));
}
