import type { CallDeps, Seat } from '../calls/index.js';
import type { Granted } from '../catalog/index.js';

/** A tool by its name, whether the route may use it or not. */
export interface Found {
  readonly granted: Granted;
}

/** In the view, else in a source of the route, else nowhere: tools of businesses the route is not attached to are not told about. */
export function findTool(name: string, seat: Seat, deps: CallDeps): Found | undefined {
  const seen = seat.view.tools.get(name);
  if (seen) return { granted: seen };
  for (const source of deps.settings().route(seat.job.route)?.tools?.sources ?? []) {
    const revision = deps.current(source.provider);
    const tool = revision?.tools.get(name);
    if (revision && tool) return { granted: { tool, source, revision } };
  }
  return undefined;
}
