import { definePoint, definePlugin, defineService, points, type Plugin } from '@bailing/plugin-api';
import { expect } from 'chai';
import { failureOf, found, kernelOf, told } from './test-support/boot.js';

const gate = { judge: () => ({ is: 'allow' }) as const };
const limiter = defineService<{ take(): boolean }>('limiter/1');

function gatePlugin(id: string, name = id): Plugin {
  return definePlugin({ id, provides: (add) => [add(points.gate, name, () => gate)] });
}

function builtWith(plugin: Plugin, apiVersion: string): Plugin {
  return { ...plugin, apiVersion };
}

describe('registration', () => {
  it('names both places where a plugin is there twice', () => {
    expect(told(kernelOf([gatePlugin('gate-a'), gatePlugin('gate-a')]))).to.deep.equal([
      'BAILING_PLUGIN_DUPLICATE gate-a plugins[1]: The plugin gate-a is there twice: plugins[0] and plugins[1].',
    ]);
  });

  it('refuses one name twice at one point, within a plugin and across plugins', () => {
    const twice = definePlugin({ id: 'gate-b', provides: (add) => [add(points.gate, 'x', () => gate), add(points.gate, 'x', () => gate)] });
    expect(told(kernelOf([twice, gatePlugin('gate-c', 'x')]))).to.deep.equal([
      'BAILING_PLUGIN_DUPLICATE gate-b gate/1 x: It adds "x" to gate/1 twice.',
      'BAILING_PLUGIN_DUPLICATE gate-c gate/1 x: gate-b already adds "x" to gate/1.',
    ]);
  });

  it('lets one name stand at two points', () => {
    const both = definePlugin({
      id: 'both',
      provides: (add) => [add(points.gate, 'x', () => gate), add(points.quota, 'x', () => ({ spends: () => [] }))],
    });
    expect(told(kernelOf([both]))).to.deep.equal([]);
  });

  it('takes plugins of the same major whose minor is not above its own, and no others', () => {
    const plugin = gatePlugin('gate-a');
    for (const good of ['1.2.0', '1.0.9', '1.2.7-beta.1'])
      expect(told(kernelOf([builtWith(plugin, good)], { apiVersion: '1.2.3' }))).to.deep.equal([]);
    for (const bad of ['1.3.0', '2.0.0', '0.2.0', '1', 'latest', '', '1.2']) {
      expect(told(kernelOf([builtWith(plugin, bad)], { apiVersion: '1.2.3' }))[0], bad).to.match(
        /^BAILING_PLUGIN_API_MISMATCH gate-a plugins\[0\]: It was built with/,
      );
    }
  });

  it('refuses a point it does not serve, a contribution without a proper name, and one without a factory', () => {
    const later = definePlugin({ id: 'later', provides: (add) => [add(definePoint('gate/2', 'strictest'), 'x', () => gate)] });
    const odd = definePlugin({
      id: 'odd',
      provides: (add) => [add(points.gate, 'Not A Name', () => gate), add(points.gate, 'y', undefined as never)],
    });
    expect(told(kernelOf([later, odd]))).to.have.length(3);
    expect(told(kernelOf([later]))[0]).to.contain('This host has no point gate/2; it has tool-source/1, gate/1');
  });

  it('demands the plugins it cannot run without, and does not let them be optional', () => {
    expect(told(kernelOf([], { required: ['gate-risk'] }))).to.deep.equal([
      'BAILING_PLUGIN_REQUIRED gate-risk plugins: The hub cannot run without gate-risk.',
    ]);
    expect(told(kernelOf([found(gatePlugin('gate-risk'), { optional: true })], { required: ['gate-risk'] }))[0]).to.contain(
      'cannot be optional',
    );
    expect(told(kernelOf([gatePlugin('gate-risk')], { required: ['gate-risk'] }))).to.deep.equal([]);
  });

  it('reports everything that is wrong at once, before anything runs', async () => {
    let ran = 0;
    const eager = definePlugin({ id: 'eager', setup: () => void ran++ });
    const wrong = definePlugin({ id: 'wrong', config: { type: 'object', properties: { n: { type: 'integer' } } } });
    const needy = definePlugin({ id: 'needy', needs: { limiter } });
    const kernel = kernelOf([eager, found(wrong, { config: { n: 'x', m: 1 } }), needy, gatePlugin('eager')]);
    const failure = await failureOf(kernel.init());
    expect(failure.problems.map(({ plugin, at, fix }) => [plugin, at, fix.length > 0])).to.have.deep.members([
      ['wrong', 'config.n', true],
      ['wrong', 'config.m', true],
      ['needy', 'limiter/1', true],
      ['eager', 'plugins[3]', true],
    ]);
    expect(failure.message).to.match(/^Bailing does not start, because of 4 problems:\n {2}1\. /);
    expect(ran).to.equal(0);
  });
});

describe('services', () => {
  const offering = (id: string) => definePlugin({ id, offers: (offer) => [offer(limiter, () => ({ take: () => id.length > 0 }))] });
  const needing = (id: string, ref = limiter) => definePlugin({ id, needs: { it: ref } });

  it('of two plugins stop the boot until the configuration chooses', () => {
    const plugins = [offering('limiter-a'), offering('limiter-b'), needing('user')];
    expect(told(kernelOf(plugins))).to.include(
      'BAILING_PLUGIN_SERVICE_AMBIGUOUS limiter-a, limiter-b limiter/1: limiter-a, limiter-b all offer limiter/1.',
    );
    expect(told(kernelOf(plugins, { choices: { 'limiter/1': 'limiter-b' } }))).to.deep.equal([]);
    expect(told(kernelOf(plugins, { choices: { 'limiter/1': 'nobody' } }))[0]).to.contain('nobody does not offer it');
    expect(told(kernelOf([], { choices: { 'other/1': 'nobody' } }))[0]).to.contain(
      'BAILING_PLUGIN_SERVICE_MISSING nobody services.other/1',
    );
  });

  it('that the host keeps to itself cannot be offered', () => {
    const host = [{ ref: limiter, make: () => ({ take: () => true }), replaceable: false }];
    expect(told(kernelOf([offering('limiter-a')], { services: host }))).to.deep.equal([
      'BAILING_PLUGIN_SERVICE_RESERVED limiter-a limiter/1: The host keeps limiter/1 to itself.',
    ]);
  });

  it('needed in a circle are named as a circle', () => {
    const ref = (name: string) => defineService<object>(`${name}/1`);
    const link = (id: string, to: string) =>
      definePlugin({ id, needs: { next: ref(to) }, offers: (offer) => [offer(ref(id), () => ({}))] });
    expect(told(kernelOf([link('aa', 'bb'), link('bb', 'cc'), link('cc', 'aa'), needing('outside', ref('aa') as never)]))).to.deep.equal([
      'BAILING_PLUGIN_CYCLE aa bb/1: aa needs bb/1 of bb, bb needs cc/1 of cc, cc needs aa/1 of aa.',
      'BAILING_PLUGIN_CYCLE bb cc/1: aa needs bb/1 of bb, bb needs cc/1 of cc, cc needs aa/1 of aa.',
      'BAILING_PLUGIN_CYCLE cc aa/1: aa needs bb/1 of bb, bb needs cc/1 of cc, cc needs aa/1 of aa.',
      'BAILING_PLUGIN_SERVICE_MISSING outside aa/1: It needs aa/1 of aa, which failed.',
    ]);
    expect(told(kernelOf([link('self', 'self')]))[0]).to.contain('self needs self/1 of self.');
  });

  it('of an optional plugin that cannot run take those that need them along, by name', () => {
    const broken = found({ ...offering('limiter-a'), apiVersion: '99.0.0' }, { optional: true });
    expect(told(kernelOf([needing('user'), broken]))).to.include(
      'BAILING_PLUGIN_SERVICE_MISSING user limiter/1: It needs limiter/1, which nobody offers.',
    );
  });
});
