import { BailingError } from '@bailing/plugin-api';
import type { Catalogue } from '../catalog/index.js';
import type { RouteSettings, Settings, StopStore } from '../ports/index.js';
import { explainCall, type ExplainCallDeps } from './call.js';
import { imaginedSeat } from './seat.js';
import { explainTools } from './tools.js';
import { locate, stopPlace } from './where.js';
import type { ExplainQuestion, Explanation, Cause } from './words.js';

export interface ExplainDeps {
  readonly calls: ExplainCallDeps;
  readonly catalogue: Pick<Catalogue, 'view'>;
  readonly stops: Pick<StopStore, 'isSet'>;
}

/**
 * Why and why not, for one route and whoever would act in it: what it sees and what not and by which setting, and, where a tool is named, what every
 * fence, gate and quota would answer and which bytes would leave. Sends, counts and writes nothing.
 * @throws BailingError BAILING_ROUTE_UNKNOWN, BAILING_REQUEST_MALFORMED for a client that is not configured
 */
export async function explain(question: ExplainQuestion, deps: ExplainDeps): Promise<Explanation> {
  const settings = deps.calls.settings();
  const route = settings.route(question.route);
  if (!route) throw new BailingError('BAILING_ROUTE_UNKNOWN', { at: 'route' });
  if (question.client !== undefined && !settings.client(question.client))
    throw new BailingError('BAILING_REQUEST_MALFORMED', { at: 'client', detail: 'There is no such client.' });
  const seat = imaginedSeat(question, route, settings, deps.catalogue);
  const current = deps.calls.current;
  const flags = await flagCauses(question, route, deps);
  return {
    route: route.route_key,
    client: question.client ?? null,
    subjects: [...seat.subjects].map(([provider, subject]) => ({ provider, field: fieldOf(route, provider), subject })),
    stops: [...configuredStops(question, route, settings), ...flags],
    tools: explainTools({ route, settings, view: seat.view, subjects: seat.subjects, current }),
    ...(question.tool !== undefined && {
      call: await explainCall(seat, { tool: question.tool, arguments: question.arguments ?? '' }, flags, deps.calls),
    }),
  };
}

function fieldOf(route: RouteSettings, provider: string): string {
  return route.tools?.sources.find((source) => source.provider === provider)?.subject_field ?? 'visitor_uid';
}

/** What keeps a job of this route from being accepted or carried out, by configuration. */
function configuredStops({ client }: ExplainQuestion, route: RouteSettings, settings: Settings): Cause[] {
  const found: Cause[] = [];
  const asking = client === undefined ? undefined : settings.client(client);
  if (!route.enabled) found.push(stopped(`route ${route.route_key}`, route));
  if (asking?.enabled === false) found.push(stopped(`client ${asking.app_id}`, route));
  if (!settings.target(route.target)?.enabled) found.push(stopped(`target ${route.target}`, route));
  const allowed = asking?.allowed_routes ?? ['*'];
  if (asking && !allowed.includes('*') && !allowed.includes(route.route_key))
    found.push({
      code: 'BAILING_ROUTE_FORBIDDEN',
      says: `The client ${asking.app_id} may not use this route.`,
      setting: `clients[${asking.app_id}].allowed_routes`,
      fix: `Add ${JSON.stringify(route.route_key)} to the list, if it may.`,
    });
  return found;
}

/** Flags an operator set at run time; one look-up each. */
async function flagCauses({ client, tool }: ExplainQuestion, route: RouteSettings, deps: ExplainDeps): Promise<readonly Cause[]> {
  const providers = (route.tools?.sources ?? []).map(({ provider }) => provider);
  const asked = [
    'hub',
    ...(client === undefined ? [] : [`client:${client}`]),
    `route:${route.route_key}`,
    ...providers.map((provider) => `provider:${provider}`),
    ...(tool === undefined ? [] : providers.map((provider) => `tool:${provider}/${tool}`)),
  ];
  const set = await Promise.all(asked.map((what) => deps.stops.isSet(what)));
  return asked.filter((_, index) => set[index]).map((what) => stopped(what, route));
}

function stopped(what: string, route: RouteSettings): Cause {
  const { code, says } = locate({ code: 'BAILING_CALL_STOPPED', reason: 'stopped', route: route.route_key, tool: '' });
  return { code, says: `${says} (${what})`, ...stopPlace(what) };
}
