import type { Log } from '@bailing/plugin-api';
import type { JobRow, RouteSettings, Settings } from '../ports/index.js';

export interface RouteDeps {
  readonly settings: () => Settings;
  /** Reads what other hubs wrote into the configuration, now; absent: there is one hub, or it knows everything. */
  readonly lookAgain?: () => Promise<void>;
  readonly log: Log;
}

/** The route of a job that some hub accepted. Another hub may have got it a moment ago, so this one looks before it says that there is none. */
export async function routeOfJob(
  { route }: Pick<JobRow, 'route'>,
  { settings, lookAgain, log }: RouteDeps,
): Promise<RouteSettings | undefined> {
  const known = settings().route(route);
  if (known || !lookAgain) return known;
  await lookAgain().catch((error: unknown) => log.warn('the configuration could not be looked at', { error: String(error) }));
  return settings().route(route);
}
