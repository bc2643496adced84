import { expect } from 'chai';
import {
  API_VERSION,
  definePlugin,
  definePoint,
  defineService,
  points,
  services,
  type Clock,
  type Gate,
  type Http,
  type Infer,
  type Log,
} from './index.js';

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
/** Does not compile where the value's type is another: `exactly<string>()(config.key)`. */
function exactly<B>(): <A>(value: A, ...proof: Same<A, B> extends true ? [] : ['the types differ']) => void {
  return () => undefined;
}
/** Does not compile where the two types differ. */
function same<A, B>(..._proof: Same<A, B> extends true ? [] : ['the types differ']): void {
  // The compiler has already answered.
}

const allow: Gate = { judge: () => ({ is: 'allow' }) };
const limiter = defineService<{ take(bucket: string): boolean }>('limiter/1');

// What must not compile stands below a @ts-expect-error: the build breaks on the day it does compile.
describe('the types of a plugin', () => {
  it('let only a Gate be added to the point of gates', () => {
    definePlugin({
      id: 'types-gate',
      provides: (add) => [
        add(points.gate, 'good', () => allow),
        add(points.gate, 'inline', () => ({ judge: (call) => ({ is: 'deny', code: 'no', reason: call.tool.name }) })),
        add(points.gate, 'async', () => ({ judge: async () => Promise.resolve({ is: 'allow' } as const) })),
        // @ts-expect-error an object without judge is no Gate
        add(points.gate, 'empty', () => ({})),
        // @ts-expect-error a quota is no Gate
        add(points.gate, 'quota', () => ({ spends: () => [] })),
        // @ts-expect-error a gate may say no, never anything else
        add(points.gate, 'maybe', () => ({ judge: () => ({ is: 'maybe' }) })),
        // @ts-expect-error a denial has a reason
        add(points.gate, 'silent', () => ({ judge: () => ({ is: 'deny', code: 'no' }) })),
        // @ts-expect-error a factory is not a promise; setup is for what takes time
        add(points.gate, 'promise', () => Promise.resolve(allow)),
        // @ts-expect-error a Gate is no Observer
        add(points.observer, 'gate', () => allow),
        // @ts-expect-error a call can not be changed
        add(points.gate, 'rewrite', () => ({ judge: (call) => ((call.args['amount'] = 1), { is: 'allow' }) })),
      ],
    });
  });

  it('infer the configuration from its schema', () => {
    definePlugin({
      id: 'types-config',
      config: {
        type: 'object',
        required: ['key'],
        properties: {
          key: { type: 'string', writeOnly: true },
          until: { type: 'integer', default: 18 },
          mode: { enum: ['strict', 'lax'] },
          hosts: { type: 'array', items: { type: 'string' } },
        },
      },
      setup: ({ config }) => {
        exactly<string>()(config.key);
        exactly<number>()(config.until);
        exactly<'strict' | 'lax' | undefined>()(config.mode);
        exactly<readonly string[] | undefined>()(config.hosts);
        // @ts-expect-error the schema declares no such field
        void config.other;
        // @ts-expect-error configuration is read-only
        config.until = 3;
      },
      provides: (add) => [
        add(points.gate, 'x', ({ config }) => {
          exactly<number>()(config.until);
          // @ts-expect-error an optional field may be absent
          void config.hosts.length;
          return allow;
        }),
      ],
      stop: ({ config }) => exactly<string>()(config.key),
    });
    definePlugin({
      id: 'types-no-config',
      setup: ({ config }) => {
        // @ts-expect-error there is no configuration
        void config.anything;
      },
    });
  });

  it('infer the services from what is needed, and no others', () => {
    definePlugin({
      id: 'types-needs',
      needs: { clock: services.clock, web: services.http, limiter },
      setup: ({ services: given, log }) => {
        exactly<Clock>()(given.clock);
        exactly<Http>()(given.web);
        exactly<{ take(bucket: string): boolean }>()(given.limiter);
        exactly<Log>()(log);
        // @ts-expect-error it did not ask for records
        void given.records;
      },
      provides: (add) => [
        add(points.quota, 'x', ({ services: given }) => ({
          spends: () => (given.limiter.take('a') ? [] : [{ bucket: 'a', limit: 1, windowMs: given.clock.now(), cost: 1 }]),
        })),
      ],
    });
    definePlugin({
      id: 'types-no-needs',
      setup: ({ services: given }) => {
        // @ts-expect-error it asked for nothing
        void given.clock;
      },
    });
    // @ts-expect-error what is needed is named by a ref, not by a string
    definePlugin({ id: 'types-needs-text', needs: { clock: 'clock/1' } });
  });

  it('infer what setup made, at once or later', () => {
    definePlugin({
      id: 'types-own',
      setup: async () => Promise.resolve({ socket: 7 }),
      provides: (add) => [
        add(points.gate, 'x', ({ own }) => {
          exactly<{ socket: number }>()(own);
          return allow;
        }),
      ],
      start: ({ own }) => exactly<{ socket: number }>()(own),
      stop: ({ own }) => exactly<number>()(own.socket),
      health: ({ own }) => ({ ok: own.socket > 0 }),
    });
    definePlugin({
      id: 'types-own-now',
      setup: () => new Map<string, number>(),
      start: ({ own }) => exactly<Map<string, number>>()(own),
    });
    definePlugin({ id: 'types-own-none', start: ({ own }) => exactly<undefined>()(own) });
    // @ts-expect-error setup has nothing of its own yet
    definePlugin({ id: 'types-own-early', setup: ({ own }) => void own });
  });

  it('let only the right service be offered', () => {
    definePlugin({
      id: 'types-offers',
      setup: () => ({ full: false }),
      offers: (offer) => [
        offer(limiter, ({ own }) => ({ take: () => own.full })),
        // @ts-expect-error a limiter takes
        offer(limiter, () => ({ give: () => true })),
        // @ts-expect-error take answers true or false
        offer(limiter, () => ({ take: () => 'yes' })),
        // @ts-expect-error a clock is no limiter
        offer(limiter, (): Clock => ({ now: () => 0 })),
      ],
    });
  });

  it('let a point name only methods that its contributions have', () => {
    expect(definePoint<Gate>('gate/9', 'strictest', ['judge']).methods).to.deep.equal(['judge']);
    // @ts-expect-error a Gate does not decide, it judges
    expect(definePoint<Gate>('gate/9', 'strictest', ['decide']).id).to.equal('gate/9');
  });

  it('read a schema as the values it admits', () => {
    same<Infer<{ readonly const: 7 }>, 7>();
    same<Infer<{ readonly type: 'array'; readonly items: { readonly type: 'integer' } }>, readonly number[]>();
    same<Infer<{ readonly type: 'object' }>, Readonly<Record<string, unknown>>>();
    same<Infer<{ readonly anyOf: readonly [] }>, unknown>();
    // @ts-expect-error text is not a number
    same<Infer<{ readonly type: 'string' }>, number>();
  });
});

describe('definePlugin', () => {
  it('stamps the version it was built with, and answers frozen data', () => {
    const plugin = definePlugin({ id: 'gate-x', provides: (add) => [add(points.gate, 'x', () => allow)] });
    expect(plugin).to.deep.include({ bailingPlugin: true, apiVersion: API_VERSION, id: 'gate-x', needs: {}, offers: [] });
    for (const part of [plugin, plugin.contributions, plugin.contributions[0], plugin.offers]) expect(Object.isFrozen(part)).to.equal(true);
    expect(Object.keys(plugin)).not.to.include('setup');
  });

  it('runs no factory and no setup', () => {
    const burst = (): never => {
      throw new Error('ran');
    };
    const plugin = definePlugin({
      id: 'gate-x',
      setup: burst,
      provides: (add) => [add(points.gate, 'x', burst)],
      offers: (offer) => [offer(limiter, burst)],
    });
    expect(plugin.contributions).to.have.length(1);
    expect(plugin.offers).to.have.length(1);
  });

  it('takes no configuration where none is declared', () => {
    expect(definePlugin({ id: 'gate-x' }).config).to.deep.equal({ type: 'object', properties: {}, additionalProperties: false });
  });

  it('refuses an id that is not lower case with dashes, and a ref that carries no version', () => {
    for (const id of ['', 'Gate', 'x', '1gate', 'gate_x', 'a'.repeat(65)])
      expect(() => definePlugin({ id }), id).to.throw(TypeError, 'a plugin id looks like');
    for (const id of ['clock', 'clock/0', 'clock/v1', 'Clock/1', '/1']) {
      expect(() => defineService(id), id).to.throw(TypeError, 'a service id looks like');
      expect(() => definePoint(id, 'tap'), id).to.throw(TypeError, 'a point id looks like');
    }
  });

  it('works with refs of another copy of this package, because refs are compared by id', () => {
    const again = defineService<Clock>(services.clock.id);
    expect(again).to.deep.equal(services.clock);
  });
});
