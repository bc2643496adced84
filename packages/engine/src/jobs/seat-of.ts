import type { Seat } from '../calls/index.js';
import { subjectOf } from '../catalog/index.js';
import type { Catalogue } from '../catalog/index.js';
import type { Holder, JobRow, RouteSettings, Settings } from '../ports/index.js';

/** What of a job does not change while one claim holds it, and a seat is minted from. */
export interface Seated {
  readonly job: Seat['job'];
  readonly specSet: string | null;
}

interface SeatDeps {
  readonly catalogue: Catalogue;
  readonly settings: () => Settings;
}

export function seatedOf(job: JobRow): Seated {
  const metadata = JSON.parse(job.metadata) as Readonly<Record<string, unknown>>;
  const client = job.owner === 'admin' ? '' : job.owner;
  const { id, requestId, route, source, specSet = null } = job;
  return { job: { id, requestId, route, client, source, metadata }, specSet };
}

/** Mints the seat of whoever works on a held job: what it may see (by the revisions it began with), and for whom it acts. */
export async function seatFor(by: Holder, seated: Seated, route: RouteSettings, signal: AbortSignal, deps: SeatDeps): Promise<Seat> {
  const { job, specSet } = seated;
  const sources = route.tools?.sources ?? [];
  const subjects = new Map(sources.map((source) => [source.provider, subjectOf(source, job)]));
  const pinned = await deps.catalogue.pinned(specSet);
  return { by, job, view: deps.catalogue.view(route, deps.settings(), subjects, pinned), subjects, signal };
}

export function seatOf(
  { by, job }: { readonly by: Holder; readonly job: JobRow },
  route: RouteSettings,
  signal: AbortSignal,
  deps: SeatDeps,
): Promise<Seat> {
  return seatFor(by, seatedOf(job), route, signal, deps);
}
