import { expect } from 'chai';
import fc from 'fast-check';
import { NOT_BUILT, NOT_BUILT_VALUES } from './not-built.js';
import { readConfig, type ConfigProblem } from './read-config.js';

const options = {
  env: { CRM_TOKEN: 'crm-token-0123456789', SECRET: 'provider-secret-123' },
  readFile: (path: string) => {
    if (path === './tools.yaml') return 'openapi: 3.1.0';
    throw new Error('no such file');
  },
};
const read = (text: string) => readConfig(text, options);

function problems(text: string): readonly ConfigProblem[] {
  const reading = read(text);
  return reading.ok ? [] : reading.problems;
}

const GOOD = `
clients:
  - { app_id: crm, token: "\${CRM_TOKEN}", allowed_routes: [desk] }
tool_providers:
  - name: orders
    base_url: https://orders.example/api/
    spec_file: ./tools.yaml
    secret: \${SECRET}
routes:
  - route_key: desk
    tools: { sources: [{ provider: orders, allow: [order.*] }] }
`;

describe('bailing.yaml', () => {
  it('is read with its defaults, names from keys, secrets from the environment and documents from files', () => {
    const reading = read(GOOD);
    if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
    const { hub, clients, tool_providers: providers, routes } = reading.config;
    expect(hub).to.include({ host: '127.0.0.1', port: 18_900, database: 'sqlite:./.bailing/hub.db' });
    expect(clients[0]).to.include({ name: 'crm', token: 'crm-token-0123456789', rate_limit_per_min: 60, enabled: true });
    expect(providers[0]).to.include({
      base_url: 'https://orders.example/api',
      spec_json: 'openapi: 3.1.0',
      timeout_ms: 10_000,
      rate_limit_per_min: 120,
      result_max_bytes: 8_192,
    });
    expect(routes[0]).to.include({ name: 'desk', target: 'llm', session_policy: 'new' });
    expect(routes[0]?.tools?.max_calls).to.equal(5);
  });

  it('takes an overlay from a file or in place, and says once where a document or an overlay is given twice or cannot be read', () => {
    const provider = (more: string) =>
      `tool_providers:\n  - { name: pp, base_url: https://p.example, secret: "\${SECRET}", spec_json: "{}", ${more} }`;
    const kept = (more: string) => {
      const reading = read(provider(more));
      return reading.ok ? reading.config.tool_providers[0]?.overlay : reading.problems.map(({ path, says }) => `${path} ${says}`);
    };
    expect(kept('overlay_file: ./tools.yaml')).to.equal('openapi: 3.1.0');
    expect(kept('overlay: { overlay: 1.0.0 }')).to.equal('{"overlay":"1.0.0"}');
    expect(kept('on_looser: freeze')).to.equal(undefined);
    expect(kept('overlay_file: ./none.yaml')).to.deep.equal(['tool_providers[0].overlay_file This file cannot be read.']);
    expect(kept('overlay: x, overlay_file: ./tools.yaml')).to.deep.equal([
      'tool_providers[0].overlay_file Give overlay or overlay_file, not both.',
    ]);
    expect(kept('auto_refresh_min: 5')).to.deep.equal(['tool_providers[0].auto_refresh_min It only has a meaning with spec_source: url.']);
  });

  it('is valid when it is empty', () => {
    expect(read('').ok).to.equal(true);
    expect(read('{}').ok).to.equal(true);
  });

  it('names file lines for everything wrong at once, with a fix, never with a value', () => {
    const found = problems(
      `hub:\n  prot: 1\nclients:\n  - app_id: crm\n    token: hunter2-secret\n    rate_limit_per_min: "many"\nroutes:\n  - route_key: desk\n    target: nowhere\n`,
    );
    expect(found.map(({ line, path }) => `${String(line)} ${path}`)).to.include.members([
      '2 hub.prot',
      '5 clients[0].token',
      '6 clients[0].rate_limit_per_min',
    ]);
    expect(JSON.stringify(found)).to.not.include('hunter2');
    for (const { code, says, fix } of found) expect([code, says, fix].every((text) => text !== '')).to.equal(true);
  });

  it('names a missing environment variable and not its neighbours', () => {
    const [only, ...rest] = problems('clients:\n  - { app_id: crm, token: "${NOT_THERE}", allowed_routes: ["*"] }');
    expect(rest).to.deep.equal([]);
    expect(only).to.include({ code: 'BAILING_CONFIG_SECRET_MISSING', line: 2, path: 'clients[0].token' });
    expect(only?.says).to.include('NOT_THERE');
  });

  it('takes a default after :- and a literal after $$', () => {
    const reading = read(
      'clients:\n  - { app_id: crm, token: "${NOT_THERE:-0123456789abcdef}", allowed_routes: ["*"], description: "$${X}" }',
    );
    expect(reading.ok && reading.config.clients[0]).to.include({ token: '0123456789abcdef', description: '${X}' });
  });

  it('refuses what the contract knows and this version does not do, by name', () => {
    for (const path of Object.keys(NOT_BUILT)) {
      const found = problems(yamlFor(path, 'x'));
      expect(
        found.some((one) => one.code === 'BAILING_CONFIG_NOT_BUILT' && one.path.replaceAll(/\[0\]/g, '[]') === path),
        path,
      ).to.equal(true);
    }
    for (const { path, value } of NOT_BUILT_VALUES)
      expect(problems(yamlFor(path, value)).map(({ code }) => code)).to.include('BAILING_CONFIG_NOT_BUILT');
    for (const medium of ['video', 'cad']) {
      const [first] = problems(yamlFor(`routes[].target_config.input.${medium}`, 'x'));
      expect(first?.path, medium).to.equal(`routes[0].target_config.input.${medium}`);
      expect(first?.says, medium).to.include(medium);
    }
  });

  it('finds names used twice and references that lead nowhere', () => {
    const says = problems(`
clients:
  - { app_id: crm, token: "0123456789abcdef", allowed_routes: [ghost] }
  - { app_id: crm, token: "0123456789abcdef", allowed_routes: ["*"] }
executor_tokens:
  - { name: worker, token: "0123456789abcdef", allowed_targets: ["*"] }
tool_providers:
  - { name: p1, base_url: "http://a", secret: "12345678x", spec_source: url }
routes:
  - { route_key: r, target: ghost, target_config: { credential: ghost }, tools: { sources: [{ provider: ghost, allow: [x] }, { provider: ghost, allow: [x] }] } }
`).map(({ path }) => path);
    expect(says).to.include.members([
      'clients[1].app_id',
      'clients[1].token',
      'clients[0].allowed_routes[0]',
      'executor_tokens[0].token',
      'tool_providers[0]',
      'routes[0].target',
      'routes[0].target_config.credential',
      'routes[0].tools.sources[0].provider',
      'routes[0].tools.sources[1].provider',
    ]);
  });

  it('takes alert rules that tell one place, and refuses those that tell none, two, or a channel that is not there', () => {
    const rules = (...all: readonly string[]) =>
      problems(`alert_rules:\n${all.map((rule) => `  - ${rule}`).join('\n')}
channels: [{ name: ops, kind: webhook, config: { url: 'http://a', secret: abcdefgh12345678 } }]`).map(({ path }) => path);
    expect(rules('{ url: "http://a" }', '{ channel: ops, recipients: [u] }', '{ channel: ops, recipients: [v] }')).to.deep.equal([]);
    expect(
      rules(
        '{ event_prefix: a }',
        '{ url: "http://a", channel: ops, recipients: [u] }',
        '{ channel: ops }',
        '{ channel: ghost, recipients: [u] }',
        '{ url: "http://b", recipients: [u] }',
      ),
    ).to.deep.equal(['alert_rules[0]', 'alert_rules[1]', 'alert_rules[2]', 'alert_rules[3].channel', 'alert_rules[4].recipients']);
  });

  it('takes a delivery through an executor whose target is there, and refuses what it lacks or does not need', () => {
    const wrong = (delivery: string) =>
      problems(`targets: [{ name: sms-notify }]\nroutes: [{ route_key: rr, delivery: ${delivery} }]`).map(({ path }) => path);
    expect(wrong('{ type: sms, to: boss }')).to.deep.equal([]);
    expect(wrong('{ type: none, url: "http://a" }')).to.deep.equal([]);
    expect(wrong('{ type: fax, to: boss }')).to.deep.equal(['routes[0].delivery.type']);
    expect(wrong('{ type: sms }')).to.deep.equal(['routes[0].delivery']);
    expect(wrong('{ type: sms, to: boss, url: "http://a", channel: ops }')).to.deep.equal([
      'routes[0].delivery.url',
      'routes[0].delivery.channel',
    ]);
  });

  it('refuses duplicate keys, broken YAML and alias bombs with a line', () => {
    expect(problems('hub: {}\nhub: {}')[0]).to.include({ code: 'BAILING_CONFIG_UNREADABLE', line: 2 });
    expect(problems('routes: [')[0]).to.include({ code: 'BAILING_CONFIG_UNREADABLE' });
    const bomb = [
      'a: &a [x,x,x,x,x,x,x,x,x]',
      ...'bcdefghi'.split('').map(
        (name, i) =>
          `${name}: &${name} [${Array(9)
            .fill(`*${'abcdefgh'[i] ?? ''}`)
            .join(',')}]`,
      ),
    ].join('\n');
    expect(problems(bomb)).to.not.deep.equal([]);
  });

  it('never throws, whatever the text', () => {
    fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (text) => void read(text)));
    fc.assert(fc.property(fc.jsonValue(), (value) => void read(JSON.stringify(value))));
  });
});

function yamlFor(path: string, value: unknown): string {
  const nested = path
    .split('.')
    .reduceRight<unknown>((inner, part) => (part.endsWith('[]') ? { [part.slice(0, -2)]: [inner] } : { [part]: inner }), value);
  return JSON.stringify(nested);
}
