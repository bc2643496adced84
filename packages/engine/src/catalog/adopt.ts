import type { SpecProbe } from '@bailing/plugin-api';
import { line } from '../audit/index.js';
import type { Line, RevisionText, SpecFact, SpecState } from '../ports/index.js';
import { freezing, reasons, type Freezing } from './freezing.js';
import { changeAlert, loosenedLine, ofProvider, type Difference } from './notices.js';
import { originOf } from './origin.js';
import type { RefreshDeps, Sourced, Via } from './refresh-words.js';
import { makeRevision, revisionId, type Revision } from './revision.js';

/** What became of a document that was read. */
export type Adopted =
  | {
      readonly is: 'current';
      readonly revision: Revision;
      readonly state: SpecState;
      readonly diff: Difference;
      readonly facts: readonly SpecFact[];
    }
  | { readonly is: 'broken'; readonly says: string };

/** Another replica may publish at the same moment; each round one of them gets through. */
const ROUNDS = 8;
const NOTHING: Difference = { added: [], removed: [], changed: [] };

/**
 * Makes a document the current one of its provider, for all replicas: compiled, judged against what was current, and published in one commit
 * with its evidence. A document that is current already changes nothing. One that cannot be compiled as a whole never becomes current.
 */
export async function adopt(
  sourced: Sourced,
  fetched: { readonly document: string; readonly probe?: SpecProbe | undefined },
  via: Via,
  deps: RefreshDeps,
): Promise<Adopted> {
  const text = textOf(sourced, fetched.document);
  const after = compileText(sourced, text, deps);
  const broken = after.report.document.find(({ severity }) => severity === 'error');
  if (broken) return { is: 'broken', says: `${broken.message} ${broken.suggestion ?? ''}`.trim() };
  for (let round = 0; round < ROUNDS; round++) {
    const state = await deps.revisions.state(sourced.row.name);
    if (state && isCurrent(state, sourced, text)) return installed(after, text, state, NOTHING, [], deps);
    const judged = await judgeAgainst(state, sourced, after, deps);
    const lines = linesOf(sourced, via, after, judged, deps);
    const rev = await deps.revisions.publish({
      expectedRev: state?.rev ?? 0,
      text,
      origin: originOf(sourced.row),
      baseUrl: sourced.row.base_url,
      spec: specOf(sourced, fetched, deps.clock.now()),
      ...judged.freezing,
      lines,
    });
    if (rev === 'moved') continue;
    const published = await deps.revisions.state(sourced.row.name);
    if (published?.revision === text.id) return installed(after, text, published, judged.diff, judged.facts, deps);
  }
  throw new Error(`the document of ${sourced.row.name} changes faster than it can be published`);
}

/** Installs what another replica made current. False where it belongs to another configuration or cannot be read. */
export async function syncCurrent(sourced: Sourced, deps: RefreshDeps): Promise<boolean> {
  const { name } = sourced.row;
  const state = await deps.revisions.state(name);
  if (!state?.revision || state.origin !== originOf(sourced.row)) return false;
  if (deps.catalogue.current(name)?.id !== state.revision) {
    const text = await deps.revisions.text(state.revision);
    if (!text) return false;
    deps.catalogue.install(name, compileText(sourced, text, deps), text);
  }
  deps.catalogue.freeze(name, reasons(state.frozen));
  return true;
}

export function compileText({ source }: Pick<Sourced, 'source'>, text: RevisionText, deps: Pick<RefreshDeps, 'schema'>): Revision {
  const { provider, document, overlay } = text;
  const report = overlay === null ? source.compile(document) : source.compile(document, overlay);
  return makeRevision(provider, document, report, deps.schema, overlay);
}

function textOf({ row, overlay }: Sourced, document: string): RevisionText {
  return { id: revisionId(row.name, document, overlay), provider: row.name, document, overlay };
}

function isCurrent(state: SpecState, { row }: Sourced, text: RevisionText): boolean {
  return state.revision === text.id && state.baseUrl === row.base_url && state.origin === originOf(row);
}

function installed(
  after: Revision,
  text: RevisionText,
  state: SpecState,
  diff: Difference,
  facts: readonly SpecFact[],
  { catalogue }: RefreshDeps,
): Adopted {
  if (catalogue.current(text.provider)?.id !== after.id) catalogue.install(text.provider, after, text);
  catalogue.freeze(text.provider, reasons(state.frozen));
  return { is: 'current', revision: catalogue.current(text.provider) ?? after, state, diff, facts };
}

interface Judged {
  readonly first: boolean;
  readonly textChanged: boolean;
  readonly diff: Difference;
  readonly facts: readonly SpecFact[];
  readonly freezing: Freezing;
}

async function judgeAgainst(state: SpecState | null, sourced: Sourced, after: Revision, deps: RefreshDeps): Promise<Judged> {
  const before = await revisionBefore(state, sourced, deps);
  const baseUrl = sourced.row.base_url;
  const facts = before && state ? factsOf(state, before, sourced, after, deps) : [];
  const looser = facts.filter(({ direction }) => direction === 'looser');
  const freezes = deps.settings().provider(sourced.row.name)?.on_looser === 'freeze';
  return {
    first: before === undefined,
    textChanged: before?.id !== after.id,
    diff: difference(before, after),
    facts,
    freezing: freezing({ state, before, after, baseUrl, looser, freezes, at: deps.clock.now() }),
  };
}

function factsOf(state: SpecState, before: Revision, { row }: Sourced, after: Revision, deps: RefreshDeps): readonly SpecFact[] {
  return deps.judge(before.report.drafts, after.report.drafts, {
    allow: allowedFor(row.name, deps),
    baseUrl: { before: state.baseUrl, after: row.base_url },
  });
}

async function revisionBefore(state: SpecState | null, sourced: Sourced, deps: RefreshDeps): Promise<Revision | undefined> {
  if (!state?.revision) return undefined;
  const current = deps.catalogue.current(sourced.row.name);
  if (current?.id === state.revision) return current;
  const text = await deps.revisions.text(state.revision);
  return text ? compileText(sourced, text, deps) : undefined;
}

/** Every scope that some route allows of this provider. */
function allowedFor(provider: string, deps: RefreshDeps): readonly string[] {
  const sources = deps
    .settings()
    .routes()
    .flatMap((route) => route.tools?.sources ?? []);
  return [...new Set(sources.filter((source) => source.provider === provider).flatMap(({ allow }) => allow))];
}

function linesOf({ row }: Sourced, via: Via, after: Revision, judged: Judged, deps: RefreshDeps): Line[] {
  const { diff, facts } = judged;
  const at = deps.clock.now();
  const looser = facts.filter(({ direction }) => direction === 'looser');
  const frozen = judged.freezing.freeze.map(({ tool }) => tool);
  const policy = deps.settings().provider(row.name)?.on_looser ?? 'alert';
  const differs = diff.added.length + diff.removed.length + diff.changed.length > 0;
  const counts = { tools: after.tools.size, ...diff };
  return [
    ...(judged.textChanged ? [line('spec_refreshed', ofProvider(row.name), at, { provider: row.name, via, ...counts })] : []),
    ...(looser.length > 0 ? [loosenedLine(row.name, via, looser, policy, frozen, at)] : []),
    ...(!judged.first && (differs || looser.length > 0) ? [changeAlert(row.name, diff, looser, frozen, at)] : []),
  ];
}

function specOf({ row }: Sourced, { document, probe }: { readonly document: string; readonly probe?: SpecProbe | undefined }, at: number) {
  if (row.spec_source !== 'url' || probe === undefined) return null;
  return { provider: row.name, origin: originOf(row), document, refreshedAt: at, probe };
}

/** Added, removed and changed by security fingerprint; words alone make no difference (WIRE §4.4). */
function difference(before: Revision | undefined, after: Revision): Difference {
  const print = (revision: Revision | undefined, name: string) => revision?.tools.get(name)?.definition.fingerprint;
  const names = [...after.tools.keys()];
  return {
    added: names.filter((name) => !before?.tools.has(name)),
    removed: [...(before?.tools.keys() ?? [])].filter((name) => !after.tools.has(name)),
    changed: names.filter((name) => before?.tools.has(name) && print(before, name) !== print(after, name)),
  };
}
