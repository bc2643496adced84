import { definePlugin, services } from '@bailing/plugin-api';
import { expect } from 'chai';
import { hostServicePerPlugin } from './index.js';
import { failureOf, found, kernelOf, memoryLog, told } from './test-support/boot.js';

const SECRET = 'sk-live-4711';

describe('configuration of a plugin', () => {
  it('arrives checked, with defaults, with secrets from the environment, and frozen', async () => {
    const seen: unknown[] = [];
    const plugin = definePlugin({
      id: 'pp',
      config: {
        type: 'object',
        required: ['key'],
        properties: {
          key: { type: 'string', writeOnly: true },
          hours: { type: 'object', default: {}, properties: { until: { type: 'integer', default: 18 } } },
        },
      },
      setup: ({ config }) => void seen.push(config, Object.isFrozen(config.hours), config.key),
    });
    const kernel = kernelOf([found(plugin, { config: { key: { $env: 'P_KEY' } } })], { env: { P_KEY: SECRET } });
    await kernel.init();
    expect(seen).to.deep.equal([{ key: SECRET, hours: { until: 18 } }, true, SECRET]);
  });

  it('is an empty object where none is written', async () => {
    let seen: unknown;
    await kernelOf([found(definePlugin({ id: 'pp', setup: ({ config }) => void (seen = config) }), { config: null })]).init();
    expect(seen).to.deep.equal({});
  });

  it('is refused with the path of the field, for plugins that take none as well', () => {
    const nested = definePlugin({
      id: 'nested',
      config: {
        type: 'object',
        properties: { sources: { type: 'array', items: { type: 'object', properties: { allow: { type: 'array' } } } } },
      },
    });
    expect(
      told(
        kernelOf([found(nested, { config: { sources: [{ allow: 'x' }] } }), found(definePlugin({ id: 'plain' }), { config: { a: 1 } })]),
      ),
    ).to.deep.equal([
      'BAILING_PLUGIN_CONFIG_INVALID nested config.sources[0].allow: Must be a list, not text.',
      'BAILING_PLUGIN_CONFIG_INVALID plain config.a: There is no such field here.',
    ]);
    expect(told(kernelOf([found(nested, { config: [] })]))).to.deep.equal([
      'BAILING_PLUGIN_CONFIG_INVALID nested config: Must be an object, not a list.',
    ]);
  });

  it('names a secret that is not set, by its variable and its place, and a secret written wrongly', () => {
    const plugin = definePlugin({ id: 'pp', config: { type: 'object', properties: { a: { type: 'string' }, b: {}, c: {} } } });
    const config = { a: { $env: 'NOT_SET' }, b: { $env: 'X', or: 'y' }, c: [{ $env: 7 }] };
    expect(told(kernelOf([found(plugin, { config })], { env: { NOT_SET: '', X: 'x' } }))).to.deep.equal([
      'BAILING_CONFIG_SECRET_MISSING pp config.a: The environment variable NOT_SET is not set.',
      'BAILING_PLUGIN_CONFIG_INVALID pp config.b: A secret is written { $env: NAME } with the name of one environment variable.',
      'BAILING_PLUGIN_CONFIG_INVALID pp config.c[0]: A secret is written { $env: NAME } with the name of one environment variable.',
    ]);
  });

  it('blames a schema that is wrong on the plugin', () => {
    const plugin = definePlugin({ id: 'pp', config: { type: 'object', properties: { a: { type: 'string', patern: 'x' } } } });
    expect(told(kernelOf([plugin]))).to.deep.equal([
      'BAILING_SCHEMA_INVALID pp config schema properties.a.patern: There is no keyword "patern" in JSON Schema.',
    ]);
  });

  it('never shows a secret: not in a problem, not in a log line, not in the tree', async () => {
    const { log, lines } = memoryLog();
    const leaky = definePlugin({
      id: 'leaky',
      config: { type: 'object', properties: { key: { type: 'string' }, typed: { type: 'string', writeOnly: true } } },
      needs: { log: services.log },
      setup: ({ config, log: own, services: { log: needed } }) => {
        own.info(`key ${config.key}`, { deep: [{ key: config.key }], error: new Error(`with ${config.key}`) });
        needed.warn(`typed ${config.typed}`);
        throw new Error(`cannot log in with ${config.key} or ${config.typed}`);
      },
    });
    const kernel = kernelOf([found(leaky, { config: { key: { $env: 'KEY' }, typed: 'written-down' } })], {
      env: { KEY: SECRET },
      log,
      services: [hostServicePerPlugin(services.log, () => log)],
    });
    const failure = await failureOf(kernel.init());
    const everything = JSON.stringify([failure.message, failure.problems, lines, await kernel.tree()]);
    expect(everything).to.contain('cannot log in with *** or ***');
    expect(lines).to.have.length(2);
    expect(everything).not.to.contain(SECRET);
    expect(everything).not.to.contain('written-down');
  });
});
