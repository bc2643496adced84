import type { Infer } from './infer.js';
import type { Point, ServiceRef } from './refs.js';
import type { Log } from './services.js';
import type { JsonSchema } from './tool.js';
import { API_VERSION } from './version.js';

export type Needs = Readonly<Record<string, ServiceRef<unknown>>>;
export type Resolved<N extends Needs> = { readonly [K in keyof N]: N[K] extends ServiceRef<infer T> ? T : never };

/** What a factory of a plugin gets: its checked configuration, the services it needs, and what its `setup` made. */
export interface PluginContext<C = unknown, N extends Needs = Needs, S = unknown> {
  readonly config: C;
  readonly services: Resolved<N>;
  readonly own: S;
  readonly log: Log;
}

/** One thing a plugin adds to one point. Made only by `add`. */
export interface Contribution {
  readonly point: Point<unknown>;
  readonly name: string;
  readonly make: (context: PluginContext) => unknown;
}

/** One replaceable service a plugin offers instead of the host's. Made only by `offer`. */
export interface Offer {
  readonly service: ServiceRef<unknown>;
  readonly make: (context: PluginContext) => unknown;
}

export type Add<C, N extends Needs, S> = <T>(
  point: Point<T>,
  name: string,
  make: (context: PluginContext<C, N, S>) => NoInfer<T>,
) => Contribution;
export type OfferWith<C, N extends Needs, S> = <T>(service: ServiceRef<T>, make: (context: PluginContext<C, N, S>) => NoInfer<T>) => Offer;

/** Whether a plugin is well; asked by readiness and by `bailing plugins`. */
export interface Health {
  readonly ok: boolean;
  readonly says?: string;
}

export interface PluginSpec<C extends JsonSchema, N extends Needs, S> {
  /** `<point>-<name>`, lower case, digits and dashes. */
  readonly id: string;
  /** JSON Schema of the configuration: an object, checked strictly, defaults applied. Secrets may be written `{ $env: NAME }`. */
  readonly config?: C;
  readonly needs?: N;
  /** Makes the plugin's private things, shared by its contributions. Runs under a time limit. */
  readonly setup?: (context: Omit<PluginContext<Infer<C>, N, undefined>, 'own'>, signal: AbortSignal) => S | Promise<S>;
  readonly provides?: (add: Add<Infer<C>, N, Awaited<S>>) => readonly Contribution[];
  readonly offers?: (offer: OfferWith<Infer<C>, N, Awaited<S>>) => readonly Offer[];
  /** After everybody's setup, before the first socket opens. */
  readonly start?: (context: PluginContext<Infer<C>, N, Awaited<S>>) => void | Promise<void>;
  /** In reverse order; also after a failed start. */
  readonly stop?: (context: PluginContext<Infer<C>, N, Awaited<S>>) => void | Promise<void>;
  readonly health?: (context: PluginContext<Infer<C>, N, Awaited<S>>) => Health | Promise<Health>;
}

/** A plugin as a host sees it: plain data and functions, types erased. */
export interface Plugin {
  readonly bailingPlugin: true;
  /** The plugin-api version it was built with, stamped by definePlugin. */
  readonly apiVersion: string;
  readonly id: string;
  readonly config: JsonSchema;
  readonly needs: Needs;
  readonly setup?: (context: Omit<PluginContext, 'own'>, signal: AbortSignal) => unknown;
  readonly contributions: readonly Contribution[];
  readonly offers: readonly Offer[];
  readonly start?: (context: PluginContext) => void | Promise<void>;
  readonly stop?: (context: PluginContext) => void | Promise<void>;
  readonly health?: (context: PluginContext) => Health | Promise<Health>;
}

const NO_CONFIG = Object.freeze({ type: 'object', properties: {}, additionalProperties: false });
const ID = /^[a-z][a-z0-9-]{1,63}$/;

/**
 * Defines a plugin. Registration is pure: nothing here runs a factory.
 *
 * @example
 * export default definePlugin({
 *   id: 'gate-office-hours',
 *   config: { type: 'object', properties: { until: { type: 'integer', default: 18 } }, additionalProperties: false },
 *   provides: (add) => [add(points.gate, 'office-hours', ({ config }) => ({ judge: () => ... }))],
 * });
 */
export function definePlugin<const C extends JsonSchema = typeof NO_CONFIG, N extends Needs = Record<never, never>, S = undefined>(
  spec: PluginSpec<C, N, S>,
): Plugin {
  if (!ID.test(spec.id)) throw new TypeError(`a plugin id looks like "gate-office-hours", not ${JSON.stringify(spec.id)}`);
  const add = ((point, name, make) => Object.freeze({ point, name, make })) as Add<Infer<C>, N, Awaited<S>>;
  const offer = ((service, make) => Object.freeze({ service, make })) as OfferWith<Infer<C>, N, Awaited<S>>;
  const { setup, start, stop, health } = spec as unknown as Pick<Plugin, 'setup' | 'start' | 'stop' | 'health'>;
  return Object.freeze({
    bailingPlugin: true,
    apiVersion: API_VERSION,
    id: spec.id,
    config: spec.config ?? NO_CONFIG,
    needs: spec.needs ?? {},
    contributions: Object.freeze([...(spec.provides?.(add) ?? [])]),
    offers: Object.freeze([...(spec.offers?.(offer) ?? [])]),
    ...(setup && { setup }),
    ...(start && { start }),
    ...(stop && { stop }),
    ...(health && { health }),
  });
}
