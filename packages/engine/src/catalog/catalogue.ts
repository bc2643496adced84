import type { RouteSettings, Settings } from '../ports/index.js';
import type { Revision } from './revision.js';
import { visibleTools, type View } from './visible.js';

const MAX_VIEWS = 1_000;

/**
 * The current revision of every provider, and the views routes have of them. A view is built once per route, configuration revision, set of
 * revisions and set of missing subjects, and shared by every job that starts alike: a 2,000-tool route starts a job without work.
 */
export class Catalogue {
  private revisions: ReadonlyMap<string, Revision> = new Map();
  private readonly views = new Map<string, View>();

  current(provider: string): Revision | undefined {
    return this.revisions.get(provider);
  }

  all(): ReadonlyMap<string, Revision> {
    return this.revisions;
  }

  /** Installs a revision, or withdraws a provider's tools with `null`. Jobs that pinned the earlier one keep it. */
  install(provider: string, revision: Revision | null): void {
    const next = new Map(this.revisions);
    if (revision) next.set(provider, revision);
    else next.delete(provider);
    this.revisions = next;
    this.views.clear();
  }

  view(route: RouteSettings, settings: Settings, subjects: ReadonlyMap<string, string>): View {
    const missing = [...subjects].map(([provider, subject]) => `${provider}=${subject === '' ? '0' : '1'}`).join(',');
    const key = `${String(settings.rev)}|${route.route_key}|${missing}`;
    const known = this.views.get(key);
    if (known) return known;
    const made = visibleTools({ route, settings, revisions: this.revisions, subjects });
    if (this.views.size >= MAX_VIEWS) this.views.clear();
    this.views.set(key, made);
    return made;
  }
}
