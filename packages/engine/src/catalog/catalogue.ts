import { sha256Hex } from '@bailing/contract';
import type { RevisionText, RouteSettings, Settings } from '../ports/index.js';
import type { Pins } from './pins.js';
import type { Revision } from './revision.js';
import { visibleTools, type View } from './visible.js';

const MAX_VIEWS = 500;

/**
 * The current revision of every provider, and the views routes have of them. A view is built once per route, configuration revision, set of
 * revisions and set of missing subjects, and shared by every job that starts alike: a 2,000-tool route starts a job without work.
 */
export class Catalogue {
  private revisions: ReadonlyMap<string, Revision> = new Map();
  private readonly sources = new Map<string, RevisionText>();
  private readonly views = new Map<string, View>();
  private set = setIdOf(new Map());
  private pins: Pins | undefined;

  current(provider: string): Revision | undefined {
    return this.revisions.get(provider);
  }

  all(): ReadonlyMap<string, Revision> {
    return this.revisions;
  }

  /** Names the current set of revisions by its content. */
  get setId(): string {
    return this.set;
  }

  /** What the current set was compiled from, as far as it is known. */
  texts(): readonly RevisionText[] {
    return [...this.sources.values()];
  }

  /** Installs a revision, or withdraws a provider's tools with `null`. Jobs that pinned the earlier one keep it. */
  install(provider: string, revision: Revision | null, text?: RevisionText): void {
    const earlier = this.revisions.get(provider);
    if (earlier && earlier.id !== revision?.id) this.pins?.remember(earlier);
    const next = new Map(this.revisions);
    if (revision) next.set(provider, revision);
    else next.delete(provider);
    if (revision && text) this.sources.set(provider, text);
    else this.sources.delete(provider);
    this.revisions = next;
    this.set = setIdOf(next);
    this.views.clear();
  }

  /** Freezes these tools of a provider and no others. */
  freeze(provider: string, frozen: ReadonlyMap<string, string>): void {
    const revision = this.revisions.get(provider);
    if (!revision || sameEntries(revision.frozen ?? new Map(), frozen)) return;
    this.revisions = new Map(this.revisions).set(provider, Object.freeze({ ...revision, frozen }));
    this.views.clear();
  }

  /** Where pinned revisions come from. Without it every job works with the current ones. */
  usePins(pins: Pins): void {
    this.pins = pins;
  }

  /** The set a job is stamped with when it is taken; written down before it is answered. */
  async stamp(): Promise<string | undefined> {
    return this.pins?.stamp(this);
  }

  /** The revisions of the set a job began with; the current ones where it has none or nobody knows it any more. */
  async pinned(set: string | null | undefined): Promise<ReadonlyMap<string, Revision>> {
    if (set === null || set === undefined || set === this.set || !this.pins) return this.revisions;
    return (await this.pins.of(set, this)) ?? this.revisions;
  }

  view(route: RouteSettings, settings: Settings, subjects: ReadonlyMap<string, string>, pinned = this.revisions): View {
    const missing = [...subjects].map(([provider, subject]) => `${provider}=${subject === '' ? '0' : '1'}`).join(',');
    const set = pinned === this.revisions ? this.set : setIdOf(pinned);
    const key = `${String(settings.rev)}|${set}|${route.route_key}|${missing}`;
    const known = this.views.get(key);
    if (known) return known;
    const made = visibleTools({ route, settings, revisions: pinned, today: this.revisions, subjects });
    if (this.views.size >= MAX_VIEWS) this.views.clear();
    this.views.set(key, made);
    return made;
  }
}

/** Of the revisions by provider; the order of installation makes no difference. */
export function setIdOf(revisions: ReadonlyMap<string, { readonly id: string }>): string {
  const members = [...revisions].map(([provider, { id }]) => `${provider}=${id}`).sort();
  return sha256Hex(members.join('\n')).slice(0, 32);
}

function sameEntries(a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): boolean {
  return a.size === b.size && [...a].every(([key, value]) => b.get(key) === value);
}
