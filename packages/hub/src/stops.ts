import { line, type Catalogue } from '@bailing/engine';
import type { JobStore, Settings, StopStore, Wakeups } from '@bailing/engine/ports';
import type { AdminCaller, StopsApi } from '@bailing/http';
import { BailingError, type Clock } from '@bailing/plugin-api';

export interface StopsDeps {
  readonly stops: StopStore;
  readonly jobs: Pick<JobStore, 'note'>;
  readonly settings: () => Settings;
  /** Tells which tools a provider's current document declares. */
  readonly catalogue: Pick<Catalogue, 'current'>;
  readonly clock: Clock;
  readonly wakeups: Pick<Wakeups, 'notify'>;
}

const LIST_MAX = 1_000;

/** Stop flags as operators set them: by name, and only for what there is, because a flag with a typing error stops nothing. */
export function stopsApi(deps: StopsDeps): StopsApi {
  return {
    list: () => deps.stops.list(LIST_MAX),
    set: async (by, what) => {
      refuseUnknown(what, deps);
      await deps.stops.set(what, by.name);
      await note('stop_set', what, by, deps);
    },
    clear: async (by, what) => {
      const wasSet = await deps.stops.clear(what);
      if (wasSet) await note('stop_cleared', what, by, deps);
      if (what === 'hub') deps.wakeups.notify('worker');
      return wasSet;
    },
  };
}

async function note(event: string, what: string, by: AdminCaller, { jobs, clock }: StopsDeps): Promise<void> {
  await jobs.note([line(event, { job: '-', requestId: 'system' }, clock.now(), { what: what.slice(0, 191), by: by.name })]);
}

/** @throws BailingError BAILING_REQUEST_MALFORMED */
function refuseUnknown(what: string, deps: StopsDeps): void {
  if (what === 'hub') return;
  const [, kind = '', name = ''] = /^(client|route|provider|tool|channel):(.+)$/s.exec(what) ?? [];
  const known = KNOWN[kind]?.(name, deps);
  if (known === true) return;
  const detail =
    known === undefined
      ? 'A flag is hub, client:…, route:…, provider:…, tool:provider/name or channel:….'
      : `There is no ${kind} ${JSON.stringify(name.slice(0, 100))} to stop.`;
  throw new BailingError('BAILING_REQUEST_MALFORMED', { at: 'what', detail });
}

const KNOWN: Readonly<Record<string, (name: string, deps: StopsDeps) => boolean>> = {
  client: (name, { settings }) => settings().client(name) !== undefined,
  route: (name, { settings }) => settings().route(name) !== undefined,
  provider: (name, { settings }) => settings().provider(name) !== undefined,
  channel: (name, { settings }) =>
    settings()
      .channels()
      .some((one) => one.name === name),
  tool: (name, { catalogue }) => {
    const cut = name.indexOf('/');
    return cut > 0 && (catalogue.current(name.slice(0, cut))?.tools.has(name.slice(cut + 1)) ?? false);
  },
};
