import type { Clock } from '@bailing/plugin-api';
import type { RevisionStore, RevisionText } from '../ports/index.js';
import type { Catalogue } from './catalogue.js';
import type { Revision } from './revision.js';

export interface PinsDeps {
  readonly revisions: Pick<RevisionStore, 'keepSet' | 'set' | 'text'>;
  /** Null where the provider is not configured any more. */
  readonly compile: (text: RevisionText) => Revision | null;
  readonly clock: Clock;
}

/** A set in use is written down again this often, so that the store can tell it from one that nobody stamps any more. */
const KEEP_MS = 21_600_000;
const MAX_SETS = 64;
const MAX_REVISIONS = 16;

/**
 * Which revisions jobs began with. A revision is loaded and compiled once in a process and shared by every job that pins it; the last few stay,
 * so that neither a change of a document nor a job of another replica costs a compile per call.
 */
export class Pins {
  private kept: { readonly set: string; readonly until: number } | undefined;
  private readonly sets = new Map<string, Promise<ReadonlyMap<string, Revision> | null>>();
  private readonly compiled = new Map<string, Promise<Revision | null>>();

  constructor(private readonly deps: PinsDeps) {}

  /** The current set, written down with its texts; one commit when the set is new, none after that. */
  async stamp(catalogue: Catalogue): Promise<string> {
    const set = catalogue.setId;
    const now = this.deps.clock.now();
    if (this.kept?.set === set && now < this.kept.until) return set;
    await this.deps.revisions.keepSet(set, catalogue.texts());
    this.kept = { set, until: now + KEEP_MS };
    return set;
  }

  /** A revision that stopped being current: jobs that run may come back for it. */
  remember(revision: Revision): void {
    bounded(this.compiled, revision.id, Promise.resolve(revision), MAX_REVISIONS);
  }

  /** Null for a set that was collected. A failure of the store is thrown and not remembered. */
  of(set: string, catalogue: Catalogue): Promise<ReadonlyMap<string, Revision> | null> {
    const known = this.sets.get(set);
    const found = known ?? this.load(set, catalogue);
    bounded(this.sets, set, found, MAX_SETS);
    if (!known) found.catch(() => this.sets.delete(set));
    return found;
  }

  private async load(set: string, catalogue: Catalogue): Promise<ReadonlyMap<string, Revision> | null> {
    const members = await this.deps.revisions.set(set);
    if (!members) return null;
    const loaded = await Promise.all(
      [...members].map(async ([provider, id]) => {
        const current = catalogue.current(provider);
        return [provider, current?.id === id ? current : await this.revision(id)] as const;
      }),
    );
    return new Map(loaded.flatMap(([provider, revision]) => (revision ? [[provider, revision] as const] : [])));
  }

  private revision(id: string): Promise<Revision | null> {
    const known = this.compiled.get(id);
    const found = known ?? this.deps.revisions.text(id).then((text) => text && this.deps.compile(text));
    bounded(this.compiled, id, found, MAX_REVISIONS);
    if (!known) found.catch(() => this.compiled.delete(id));
    return found;
  }
}

/** Puts an entry last and drops the one not used for longest. */
function bounded<V>(map: Map<string, V>, key: string, value: V, max: number): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > max && oldest !== undefined) map.delete(oldest);
}
