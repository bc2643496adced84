import { definePlugin, defineService, points, type Plugin, type PluginContext } from '@bailing/plugin-api';
import { expect } from 'chai';
import { hostService, hostServicePerPlugin } from './index.js';
import { failureOf, found, kernelOf, memoryLog, never, pause } from './test-support/boot.js';
import { diary, gate } from './test-support/diary.js';

interface Counter {
  next(): number;
}
const counter = defineService<Counter>('counter/1');
const clock = defineService<{ now(): number }>('time/1');

describe('the life of plugins', () => {
  it('is setup, contributions, start, and a stop in reverse; who is needed comes first', async () => {
    const lines: string[] = [];
    const kernel = kernelOf([
      diary('user', lines, { needs: 'thing/1' }),
      diary('giver', lines, { offers: 'thing/1' }),
      diary('other', lines),
    ]);
    await kernel.init();
    await kernel.start();
    expect(kernel.contributions(points.gate).map(({ plugin, name, value }) => [plugin, name, value === gate])).to.deep.equal([
      ['giver', 'giver', true],
      ['user', 'user', true],
      ['other', 'other', true],
    ]);
    expect(await kernel.stop()).to.deep.equal([]);
    expect(lines).to.deep.equal([
      'setup giver',
      'make giver',
      'setup user',
      'make user',
      'setup other',
      'make other',
      'start giver',
      'start user',
      'start other',
      'stop other',
      'stop user',
      'stop giver',
    ]);
    expect(await kernel.stop()).to.deep.equal([]);
    expect(lines).to.have.length(12);
  });

  it('happens once, however often a host asks for a step', async () => {
    const lines: string[] = [];
    const kernel = kernelOf([diary('aa', lines)]);
    await Promise.all([kernel.init(), kernel.init()]);
    await Promise.all([kernel.start(), kernel.start()]);
    await Promise.all([kernel.stop(), kernel.stop()]);
    expect(lines).to.deep.equal(['setup aa', 'make aa', 'start aa', 'stop aa']);
  });

  it('gives factories the configuration, what setup made, and each factory runs once', async () => {
    let made = 0;
    const plugin = definePlugin({
      id: 'pp',
      needs: { clock },
      setup: async ({ services }) => {
        await pause(1);
        return { startedAt: services.clock.now() };
      },
      provides: (add) => [
        add(points.gate, 'a', ({ own }) => ({ judge: () => ({ is: 'deny', code: 'x', reason: `${own.startedAt} ${++made}` }) })),
        add(points.quota, 'a', ({ own }) => ({ spends: () => [{ bucket: String(own.startedAt), limit: 1, windowMs: 1, cost: 1 }] })),
      ],
    });
    const kernel = kernelOf([plugin], { services: [hostService(clock, { now: () => 42 })] });
    await kernel.init();
    const [first, second] = [kernel.contributions(points.gate), kernel.contributions(points.gate)];
    expect(first[0]?.value).to.equal(second[0]?.value);
    expect(await first[0]?.value.judge({} as never, AbortSignal.abort())).to.deep.equal({ is: 'deny', code: 'x', reason: '42 1' });
    expect(kernel.contributions(points.quota)[0]?.value.spends({} as never)[0]?.bucket).to.equal('42');
    expect(kernel.contributions(points.observer)).to.deep.equal([]);
  });

  it('gives a plugin the services it named and no way to any other', async () => {
    let seen: PluginContext | undefined;
    const plugin = definePlugin({ id: 'pp', needs: { clock }, setup: (context) => void (seen = context as unknown as PluginContext) });
    const offered = definePlugin({ id: 'giver', offers: (offer) => [offer(counter, () => ({ next: () => 1 }))] });
    const kernel = kernelOf([offered, plugin], { services: [hostService(clock, { now: () => 1 })] });
    await kernel.init();
    expect(Object.keys(seen ?? {})).to.have.members(['config', 'services', 'log']);
    expect(Object.keys(seen?.services ?? {})).to.deep.equal(['clock']);
    expect(Object.isFrozen(seen?.services)).to.equal(true);
    expect(kernel.service(counter).next()).to.equal(1);
  });

  it('keeps what a host makes per plugin apart, and lets an offer replace what the host declared replaceable', async () => {
    const got: unknown[] = [];
    const user = (id: string) =>
      definePlugin({
        id,
        needs: { counter, clock },
        setup: ({ services }) => void got.push(services.counter.next(), services.clock.now()),
      });
    const giver = definePlugin({ id: 'giver', offers: (offer) => [offer(counter, () => ({ next: () => 7 }))] });
    const hosted = [
      hostService(counter, { next: () => 1 }, { replaceable: true }),
      hostServicePerPlugin(clock, (plugin) => ({ now: () => plugin.length })),
    ];
    await kernelOf([user('a1'), user('bb1'), giver], { services: hosted }).init();
    expect(got).to.deep.equal([7, 2, 7, 3]);
    got.length = 0;
    await kernelOf([user('a1'), giver], { services: hosted, choices: { 'counter/1': 'host' } }).init();
    expect(got).to.deep.equal([1, 2]);
  });
});

describe('a plugin that fails', () => {
  it('stops the boot by name, after everybody else was tried, and whoever was set up is stopped', async () => {
    const lines: string[] = [];
    const kernel = kernelOf([
      diary('aa', lines),
      diary('bb', lines, { failsIn: 'setup' }),
      diary('cc', lines, { failsIn: 'make' }),
      diary('dd', lines, { failsIn: 'stop' }),
    ]);
    const failure = await failureOf(kernel.init());
    expect(failure.problems.map(({ code, plugin, at, says }) => [code, plugin, at, says])).to.deep.equal([
      ['BAILING_PLUGIN_INIT_FAILED', 'bb', 'setup', 'bb breaks in setup'],
      ['BAILING_PLUGIN_INIT_FAILED', 'cc', 'gate/1 cc', 'cc breaks in make'],
    ]);
    expect(lines.filter((line) => line.startsWith('stop'))).to.deep.equal(['stop dd', 'stop cc', 'stop aa']);
    expect(await kernel.stop()).to.deep.equal([]);
  });

  it('and is optional leaves the others alone, is reported, and adds nothing', async () => {
    const lines: string[] = [];
    const { log, lines: logged } = memoryLog();
    const optional = (plugin: Plugin) => found(plugin, { optional: true });
    const misfit = definePlugin({ id: 'misfit', config: { type: 'object', properties: {} } });
    const kernel = kernelOf(
      [
        diary('aa', lines),
        optional(diary('bb', lines, { failsIn: 'setup' })),
        optional(diary('cc', lines, { failsIn: 'start' })),
        found(misfit, { optional: true, config: { x: 1 } }),
      ],
      { log },
    );
    await kernel.init();
    await kernel.start();
    expect(kernel.contributions(points.gate).map(({ plugin }) => plugin)).to.deep.equal(['aa']);
    expect((await kernel.health()).map(({ plugin, ok, says }) => [plugin, ok, says])).to.deep.equal([
      ['aa', true, undefined],
      ['bb', false, 'bb breaks in setup'],
      ['cc', false, 'cc breaks in start'],
      ['misfit', false, 'There is no such field here.'],
    ]);
    expect(logged.filter(({ level }) => level === 'warn').map(({ fields }) => (fields as { plugin: string }).plugin)).to.deep.equal([
      'bb',
      'misfit',
      'cc',
    ]);
    expect(lines).to.include('stop cc');
    expect(kernel.check().every(({ fatal }) => !fatal)).to.equal(true);
  });

  it('and offers a service takes those that need it along, and the host does not step in unseen', async () => {
    const lines: string[] = [];
    const giver = found(diary('giver', lines, { offers: 'thing/1', failsIn: 'setup' }), { optional: true });
    const failure = await failureOf(
      kernelOf([giver, diary('user', lines, { needs: 'thing/1' })], {
        services: [hostService(defineService<object>('thing/1'), {}, { replaceable: true })],
      }).init(),
    );
    expect(failure.problems.map(({ plugin, says, fatal }) => [plugin, says, fatal])).to.deep.equal([
      ['giver', 'giver breaks in setup', false],
      ['user', 'It needs thing/1 of giver, which failed.', true],
    ]);
    expect(lines).to.deep.equal(['setup giver']);
  });

  it('by taking too long is named with its limit, its signal is aborted, and what it still opens is closed', async () => {
    const closed: string[] = [];
    const slow = definePlugin({
      id: 'slow',
      setup: async (_context, signal) => {
        await never(signal).catch(() => undefined);
        await pause(5);
        return 'a socket';
      },
      stop: ({ own }) => void closed.push(own),
    });
    const failure = await failureOf(kernelOf([found(slow, { initTimeoutMs: 20 })]).init());
    expect(failure.problems.map(({ code, plugin, says }) => [code, plugin, says])).to.deep.equal([
      ['BAILING_PLUGIN_INIT_TIMEOUT', 'slow', 'Its setup was not through after 20 ms.'],
    ]);
    await pause(30);
    expect(closed).to.deep.equal(['a socket']);
  });

  it('by making something that is not what the point asks for is told so at boot', async () => {
    const make = (value: unknown) => definePlugin({ id: 'pp', provides: (add) => [add(points.gate, 'x', () => value as never)] });
    const reasons = [];
    for (const value of [{ check: () => 1 }, undefined, null, 'gate', Promise.reject(new Error('later'))]) {
      reasons.push((await failureOf(kernelOf([make(value)]).init())).problems[0]?.says);
    }
    expect(reasons).to.deep.equal([
      'What it made has no method judge().',
      'The factory made nothing.',
      'The factory made nothing.',
      'The factory made nothing.',
      'The factory answers a promise; do what takes time in setup.',
    ]);
  });
});
