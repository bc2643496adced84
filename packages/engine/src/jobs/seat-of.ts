import type { Seat } from '../calls/index.js';
import { subjectOf } from '../catalog/index.js';
import type { Catalogue } from '../catalog/index.js';
import type { Holder, JobRow, RouteSettings, Settings } from '../ports/index.js';

/** Mints the seat of whoever works on a held job: what it may see (by the revisions it began with), and for whom it acts. */
export async function seatOf(
  held: { readonly by: Holder; readonly job: JobRow },
  route: RouteSettings,
  signal: AbortSignal,
  deps: { readonly catalogue: Catalogue; readonly settings: () => Settings },
): Promise<Seat> {
  const { job, by } = held;
  const metadata = JSON.parse(job.metadata) as Readonly<Record<string, unknown>>;
  const sources = route.tools?.sources ?? [];
  const subjects = new Map(sources.map((source) => [source.provider, subjectOf(source, { source: job.source, metadata })]));
  const pinned = await deps.catalogue.pinned(job.specSet);
  return {
    by,
    job: {
      id: job.id,
      requestId: job.requestId,
      route: route.route_key,
      client: job.owner === 'admin' ? '' : job.owner,
      source: job.source,
      metadata,
    },
    view: deps.catalogue.view(route, deps.settings(), subjects, pinned),
    subjects,
    signal,
  };
}
