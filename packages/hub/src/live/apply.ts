import { InvalidObject, type ApplyChange, type ApplyRequest, type ApplyResult, type FieldProblem, type WriteCause } from '@bailing/http';
import { BailingError } from '@bailing/plugin-api';
import { objectKinds, readObject, valueAt, type ObjectKind, type ObjectMember, type SettingsSchema } from '@bailing/resources';
import { configChange } from './config-change.js';
import { misfitText, type Combination } from './findings.js';
import type { Draft, Known, LiveConfig } from './live-config.js';
import { changedFields, readWhole, type IncomingByMember } from './read-whole.js';

type Doc = Readonly<Record<string, unknown>>;

export interface ApplyDeps {
  readonly live: LiveConfig;
  readonly now: () => number;
  readonly settings: SettingsSchema;
  readonly incoming?: IncomingByMember;
}

interface Step extends ApplyChange {
  readonly value: Doc | null;
}

/**
 * A set of objects as one change: all of it or nothing. A kind that is not in the set is left alone; what is missing of a kind that is goes only with
 * `prune`. @throws InvalidObject with paths into the set; BailingError 409
 */
export function applyObjects(request: ApplyRequest, cause: WriteCause, deps: ApplyDeps): Promise<ApplyResult> {
  return deps.live.change(cause.by.name, (known) => draftOf(request, cause, known, deps));
}

async function draftOf(request: ApplyRequest, cause: WriteCause, known: Known, deps: ApplyDeps): Promise<Draft<ApplyResult>> {
  const places = new Map<string, string>();
  const steps = await stepsOf(request, known, deps, places);
  const changes = steps.map(({ value: _value, ...change }) => change);
  return {
    dry: request.dry_run,
    writes: steps.map(({ member, name, value }) => ({ member: member as ObjectMember, name, value })),
    lines: steps.map(({ member, name, change, fields }) =>
      configChange(cause, deps.now(), { kind: member, name, change: `${change}d`, fields }),
    ),
    judge: (combination) => judge(combination, places),
    answer: (rev) => ({ ok: true, dry_run: request.dry_run, revision: rev, changes }),
  };
}

async function stepsOf(request: ApplyRequest, known: Known, deps: ApplyDeps, places: Map<string, string>): Promise<Step[]> {
  const steps: Step[] = [];
  const problems: FieldProblem[] = [];
  for (const kind of objectKinds) {
    const docs = request.objects[kind.member];
    if (docs === undefined) continue;
    const names = new Set<string>();
    for (const [index, doc] of docs.entries()) {
      const at = `${kind.member}[${String(index)}]`;
      const name = nameOf(kind, doc);
      if (names.has(name)) problems.push({ at: `${at}.${kind.key}`, says: 'This name is used by an earlier object already.' });
      names.add(name);
      places.set(`${kind.member}/${name}`, at);
      try {
        steps.push(...(await stepOf(kind, name, doc, known, deps)));
      } catch (error) {
        if (!(error instanceof BailingError)) throw error;
        const found = error instanceof InvalidObject ? error.problems : [{ at: '', says: `${error.entry.says} ${error.entry.fix}` }];
        problems.push(...found.map((one) => ({ at: [at, one.at].filter(Boolean).join('.'), says: one.says })));
      }
    }
    if (request.prune) steps.push(...pruned(kind, names, known));
  }
  if (problems.length > 0) throw new InvalidObject(problems);
  return steps;
}

function nameOf({ key }: ObjectKind, doc: unknown): string {
  const name: unknown = doc !== null && typeof doc === 'object' ? (doc as Doc)[key] : undefined;
  return typeof name === 'string' ? name : '';
}

async function stepOf(kind: ObjectKind, name: string, doc: unknown, known: Known, deps: ApplyDeps): Promise<readonly Step[]> {
  if (doc === null || typeof doc !== 'object' || Array.isArray(doc)) throw new InvalidObject([{ at: '', says: 'It must be an object.' }]);
  if (deps.live.owns(kind.member, name)) throw new BailingError('BAILING_OBJECT_FILE_OWNED');
  const before = known.kept.get(`${kind.member}/${name}`);
  const unnamed = before ? [] : unnamedSecrets(kind, doc as Doc);
  if (unnamed.length > 0) throw new InvalidObject([...unnamed, ...otherProblems(kind, doc as Doc, unnamed)]);
  if (name === '') throw new InvalidObject([{ at: kind.key, says: 'It needs a name to be found by again.' }]);
  const { value } = await readWhole(kind, doc as Doc, before, { rotate: false, ...deps });
  const fields = changedFields(before?.value, value);
  if (before && fields.length === 0) return [];
  return [{ member: kind.member, name, change: before ? 'update' : 'create', fields: before ? fields : [], value }];
}

/** Nobody would see a token or a password that was made here. */
function unnamedSecrets({ makes, member }: ObjectKind, doc: Doc): readonly FieldProblem[] {
  const missing = (path: string) => [undefined, null, ''].includes(valueAt(doc, path) as string | null | undefined);
  const says = 'A new object needs it; write ${NAME} and set that variable.';
  if (makes && missing(makes)) return [{ at: makes, says }];
  return member === 'admins' && missing('password') && missing('password_hash') ? [{ at: 'password', says }] : [];
}

/** Everything wrong is told together. */
function otherProblems(kind: ObjectKind, doc: Doc, unnamed: readonly FieldProblem[]): readonly FieldProblem[] {
  const filled = { ...doc, ...Object.fromEntries(unnamed.map(({ at }) => [at, 'x'.repeat(32)])) };
  const reading = readObject(kind, filled);
  return reading.ok ? [] : reading.problems.map(({ path, says }) => ({ at: path, says }));
}

function pruned({ member }: ObjectKind, names: ReadonlySet<string>, { kept }: Known): readonly Step[] {
  const gone = [...kept.values()].filter((one) => one.member === member && !names.has(one.name));
  return gone.map(({ name }) => ({ member, name, change: 'delete', fields: [], value: null }));
}

function judge({ misfits }: Combination, places: ReadonlyMap<string, string>): void {
  const at = (member: string, name: string | null) => places.get(`${member}/${String(name)}`);
  const own = misfits.filter(({ member, name }) => at(member, name) !== undefined);
  if (own.length > 0)
    throw new InvalidObject(own.map(({ member, name, path, says }) => ({ at: [at(member, name), path].filter(Boolean).join('.'), says })));
  if (misfits.length > 0) throw new BailingError('BAILING_OBJECT_IN_USE', { detail: misfits.slice(0, 10).map(misfitText).join('; ') });
}
