import { services as knownServices, type Log, type Plugin, type PluginContext, type Point } from '@bailing/plugin-api';
import type { Services } from './container.js';
import type { HostService } from './host-service.js';
import type { Made, Member } from './member.js';
import { missingService, type Offerers } from './plan.js';
import { bootProblem, reasonOf } from './problem.js';
import type { Redactor } from './secrets.js';
import { withTimeLimit } from './time-limit.js';

export interface InitOptions {
  /** Offered services, by service id. A plugin sees those it needs and no others. */
  readonly shared: Services;
  readonly host: readonly HostService[];
  readonly offerers: Offerers;
  readonly points: readonly Point<unknown>[];
  readonly timeoutMs: number;
  readonly stopTimeoutMs: number;
  readonly redactor: Redactor;
  readonly log: (plugin: string) => Log;
  readonly signal: AbortSignal;
}

/** Runs one plugin's setup and makes what it offers and contributes, each once. Failures mark the member; nothing is thrown. */
export async function initMember(member: Member, options: InitOptions): Promise<void> {
  if (member.state !== 'registered') return;
  const begun = performance.now();
  const late = Object.values(member.plugin.needs).find((ref) => options.offerers.get(ref.id)?.failed);
  if (late) member.fail(missingService(member, late.id, options.offerers.get(late.id)));
  if (member.failed) return;
  try {
    const base = givenTo(member, options);
    const own = await setUp(member.plugin, member, base, options);
    if (member.failed) return;
    member.context = Object.freeze({ ...base, own });
    makeOffers(member, member.context, options);
    member.made = makeContributions(member, member.context, options.points);
    member.state = 'ready';
  } catch (error) {
    failInit(member, options, 'init', error);
  } finally {
    member.initMs = performance.now() - begun;
  }
}

export function failInit(member: Member, { redactor }: Pick<InitOptions, 'redactor'>, at: string, error: unknown): void {
  const place = error instanceof AtPlace ? error.at : at;
  const reason = reasonOf(error instanceof AtPlace ? error.cause : error);
  member.fail(
    bootProblem('BAILING_PLUGIN_INIT_FAILED', member.source(place, redactor.text(reason), 'Read the reason and repair the plugin.')),
  );
}

/** Configuration, log and exactly the services it named. The container behind them stays here. */
function givenTo(member: Member, options: InitOptions): Omit<PluginContext, 'own'> {
  const own = options.shared.child();
  const log = options.log(member.id);
  // The log it asks for as a service is redacted like the one it is given.
  own.register(knownServices.log.id, log);
  const services: Record<string, unknown> = {};
  for (const [name, ref] of Object.entries(member.plugin.needs)) {
    const hosted = options.offerers.has(ref.id) ? undefined : options.host.find((service) => service.ref.id === ref.id);
    if (hosted && !own.has(ref.id)) own.register(ref.id, hosted.make(member.id));
    services[name] = own.resolve(ref.id);
  }
  return Object.freeze({ config: member.config, services: Object.freeze(services), log });
}

async function setUp(plugin: Plugin, member: Member, base: Omit<PluginContext, 'own'>, options: InitOptions): Promise<unknown> {
  if (!plugin.setup) return undefined;
  const ms = member.found.initTimeoutMs ?? options.timeoutMs;
  const end = await withTimeLimit(ms, (signal) => plugin.setup?.(base, signal), options.signal);
  if (end.is === 'done') return end.value;
  if (end.is === 'failed') throw new AtPlace('setup', end.error);
  void end.later.then((made) => made && stopLate(plugin, { ...base, own: made.value }, options.stopTimeoutMs));
  const says = options.signal.aborted ? 'Its setup was cut short by a stop.' : `Its setup was not through after ${ms} ms.`;
  member.fail(bootProblem('BAILING_PLUGIN_INIT_TIMEOUT', member.source('setup', says)));
  return undefined;
}

/** What a late setup still opened is closed again. */
async function stopLate(plugin: Plugin, context: PluginContext, ms: number): Promise<void> {
  const end = await withTimeLimit(ms, () => plugin.stop?.(context));
  if (end.is === 'failed') context.log.warn('the late setup of a plugin could not be undone', { reason: reasonOf(end.error) });
}

/** Only an offer that was chosen is made. */
function makeOffers(member: Member, context: PluginContext, { shared, offerers }: InitOptions): void {
  for (const { service, make } of member.plugin.offers) {
    if (offerers.get(service.id) === member)
      shared.register(
        service.id,
        makeOnce(service.id, () => make(context)),
      );
  }
}

function makeContributions(member: Member, context: PluginContext, points: readonly Point<unknown>[]): readonly Made[] {
  return member.plugin.contributions.map(({ point, name, make }) => {
    const place = `${point.id} ${name}`;
    const value = makeOnce(place, () => make(context));
    const missing = points.find(({ id }) => id === point.id)?.methods?.find((method) => !hasMethod(value, method));
    if (missing !== undefined) throw new AtPlace(place, new Error(`What it made has no method ${missing}().`));
    return Object.freeze({ point: point.id, name, value });
  });
}

function makeOnce(place: string, make: () => unknown): unknown {
  let value: unknown;
  try {
    value = make();
  } catch (error) {
    throw new AtPlace(place, error);
  }
  if (typeof value !== 'object' && typeof value !== 'function') throw new AtPlace(place, new Error('The factory made nothing.'));
  if (value === null) throw new AtPlace(place, new Error('The factory made nothing.'));
  if (hasMethod(value, 'then')) {
    void Promise.resolve(value as PromiseLike<unknown>).then(undefined, () => undefined);
    throw new AtPlace(place, new Error('The factory answers a promise; do what takes time in setup.'));
  }
  return value;
}

function hasMethod(value: unknown, name: string): boolean {
  return typeof (value as Record<string, unknown> | null)?.[name] === 'function';
}

/** Carries the place of a failure up to where the problem is written. */
class AtPlace extends Error {
  constructor(
    readonly at: string,
    cause: unknown,
  ) {
    super('failed', { cause });
  }
}
