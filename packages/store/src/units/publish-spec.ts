import type { AuthzRecord, Line, Ms, Publication, RevisionText } from '@bailing/engine/ports';
import { isFault } from '../dialects/fault.js';
import { append } from '../ledger/append.js';
import { change, type Steps, type Tx, Undo, type Unit } from '../lane/unit.js';
import { putSpec } from '../statements/providers.js';
import type { Statement, Value } from '../statements/statement.js';
import { insertRevision, keepRevision } from '../statements/spec-revisions.js';
import { advanceState, attemptRefresh, bumpState, deleteFrozen, insertFrozen, insertState, noteAuthz } from '../statements/specs.js';

/** One commit: another current revision with its text, its cache, what it freezes and thaws, and the evidence of it; or somebody was faster. */
export function publishSpec(publication: Publication): Unit<number | 'moved'> {
  const { text, expectedRev, origin, baseUrl } = publication;
  return {
    name: 'publish-spec',
    key: `spec:${text.provider}`,
    *run(tx) {
      if (expectedRev === 0) {
        if (!(yield* inserted(insertState, [text.provider, text.id, origin, baseUrl, tx.now, null]))) return new Undo<'moved'>('moved');
      } else if ((yield* change(advanceState, [text.id, origin, baseUrl, text.provider, expectedRev])) === 0)
        return new Undo<'moved'>('moved');
      yield* keepText(tx, text);
      yield* cacheAndFreeze(tx, publication);
      for (const line of publication.lines) yield* append(tx, line);
      return expectedRev + 1;
    },
  };
}

function* cacheAndFreeze(tx: Tx, { text: { provider }, spec, freeze, thaw }: Publication): Steps<void> {
  if (spec?.document != null) {
    const probe = spec.probe === null ? null : JSON.stringify(spec.probe);
    yield* change(putSpec, [provider, spec.origin, spec.document, spec.refreshedAt, probe, tx.now]);
  }
  for (const tool of thaw) yield* change(deleteFrozen, [provider, tool]);
  for (const { tool, accepted, facts, since } of freeze) {
    yield* change(deleteFrozen, [provider, tool]);
    yield* change(insertFrozen, [provider, tool, accepted, JSON.stringify(facts), since]);
  }
}

/** The text of a revision, written once under its hash. */
export function* keepText(tx: Tx, { id, provider, document, overlay }: RevisionText): Steps<void> {
  if ((yield* change(keepRevision, [tx.now, id])) > 0) return;
  yield* inserted(insertRevision, [id, provider, document, overlay, tx.now]);
}

/** False where another process wrote the same key first. */
export function* inserted<P extends readonly Value[]>(statement: Statement<P>, params: P): Steps<boolean> {
  try {
    yield* change(statement, params);
    return true;
  } catch (error) {
    if (isFault(error, 'duplicate')) return false;
    throw error;
  }
}

/** One commit: this caller refreshes the provider now, or somebody else began to after `notAfter`. */
export function attempt(provider: string, notAfter: Ms): Unit<boolean> {
  return {
    name: 'attempt-spec-refresh',
    key: `spec:${provider}`,
    *run(tx) {
      if ((yield* change(attemptRefresh, [tx.now, provider, notAfter])) > 0) return true;
      const first = yield* inserted(insertState, [provider, null, '', '', tx.now, null]);
      return first ? true : new Undo<boolean>(false);
    },
  };
}

/** One commit: what an authorisation probe observed, and its line. */
export function authz(provider: string, record: AuthzRecord, line: Line): Unit<void> {
  const observed = JSON.stringify(record);
  return {
    name: 'note-authz',
    key: `spec:${provider}`,
    *run(tx) {
      if ((yield* change(noteAuthz, [observed, provider])) === 0) yield* inserted(insertState, [provider, null, '', '', 0, observed]);
      yield* append(tx, line);
    },
  };
}

/** One commit: an operator accepts what froze these tools. */
export function acceptFrozen(provider: string, tools: readonly string[], line: Line): Unit<readonly string[]> {
  return {
    name: 'accept-frozen',
    key: `spec:${provider}`,
    *run(tx) {
      const thawed: string[] = [];
      for (const tool of tools) if ((yield* change(deleteFrozen, [provider, tool])) > 0) thawed.push(tool);
      if (thawed.length === 0) return new Undo<readonly string[]>([]);
      yield* change(bumpState, [provider]);
      yield* append(tx, line);
      return thawed;
    },
  };
}
