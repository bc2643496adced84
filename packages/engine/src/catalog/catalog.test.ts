import type { ToolDraft } from '@bailing/plugin-api';
import { expect } from 'chai';
import type { RouteSettings, Settings, SourceSettings } from '../ports/index.js';
import { Catalogue } from './catalogue.js';
import { defineTool } from './definition.js';
import { makeRevision } from './revision.js';
import { scopeAllowed } from './scope.js';
import { subjectOf } from './subject.js';

const acc = (scope: string, more: object = {}) => ({ version: 1, enabled: true, scope, ...more });

function draft(name: string, scope: string, more: object = {}, method = 'POST'): ToolDraft {
  return {
    name,
    method,
    path: `/${name}`,
    acc: acc(scope, more),
    input: { type: 'object', properties: {} },
    binding: { kind: 'http' },
    says: name,
  };
}

const schema = { compile: () => () => [] };
const revision = (provider: string, ...drafts: ToolDraft[]) =>
  makeRevision(provider, JSON.stringify(drafts), { drafts, operations: [], document: [] }, schema);

function route(...sources: SourceSettings[]): RouteSettings {
  return {
    route_key: 'r',
    name: 'r',
    enabled: true,
    target: 'llm',
    target_config: {},
    profile: 'readonly',
    session_policy: 'new',
    tools: { sources, max_calls: 5 },
  };
}
const settings = (rev = 1) => ({ rev, provider: (name: string) => ({ name, enabled: name !== 'off' }) }) as unknown as Settings;

describe('catalogue', () => {
  it('matches scopes exactly, by prefix below a dot, or all', () => {
    expect(scopeAllowed('order.read', ['order.read'])).to.equal(true);
    expect(scopeAllowed('order.read', ['order.*'])).to.equal(true);
    expect(scopeAllowed('order', ['order.*'])).to.equal(false);
    expect(scopeAllowed('orders.read', ['order.*'])).to.equal(false);
    expect(scopeAllowed('order.read', ['*'])).to.equal(true);
    expect(scopeAllowed('order.read', [])).to.equal(false);
    expect(scopeAllowed('order.read.all', ['order.read'])).to.equal(false);
  });

  it('derives risk and side effect from declaration and method, and exposes nothing malformed', () => {
    expect(defineTool(draft('a', 'a', {}, 'GET'), 'p')).to.include({ risk: 'low', readonly: true, sideEffecting: false });
    expect(defineTool(draft('a', 'a'), 'p')).to.include({ risk: 'medium', readonly: false, sideEffecting: true });
    expect(defineTool(draft('a', 'a', { risk: { level: 'high' } }), 'p')).to.include({ risk: 'high' });
    expect(defineTool(draft('a', 'a', { execution: { readonly: true } }), 'p')).to.include({ risk: 'low', sideEffecting: false });
    expect(defineTool({ ...draft('a', 'a'), acc: { enabled: true, scope: 'a' } }, 'p')).to.equal(null);
  });

  it('moves the fingerprint with what is allowed or sent, not with words', () => {
    const print = (tool: ToolDraft) => defineTool(tool, 'p')?.fingerprint;
    const base = draft('a', 'a');
    const described = { ...base, says: 'other words', input: { type: 'object', properties: {}, description: 'words' } };
    expect(print(described)).to.equal(print(base));
    expect(print(draft('a', 'b'))).to.not.equal(print(base));
    expect(print(draft('a', 'a', { execution: { rate_limit: { count: 5, window: '1m' } } }))).to.not.equal(print(base));
    expect(print({ ...base, input: { type: 'object', properties: { description: { type: 'string' } } } })).to.not.equal(print(base));
    expect(print({ ...base, binding: { kind: 'http', body: 'x' } })).to.not.equal(print(base));
  });

  it('shows pinned ∩ allowed ∩ subject, in stable order, and says what is locked or missing', () => {
    const catalogue = new Catalogue();
    catalogue.install(
      'orders',
      revision('orders', draft('z', 'order.z'), draft('a', 'order.a', { subject: { required: true } }), draft('x', 'other.x')),
    );
    const view = (subject: string, ...more: SourceSettings[]) =>
      catalogue.view(route({ provider: 'orders', allow: ['order.*'] }, ...more), settings(), new Map([['orders', subject]]));
    expect([...view('u').tools.keys()]).to.deep.equal(['a', 'z']);
    expect([...view('').tools.keys()]).to.deep.equal(['z']);
    expect(view('').locked).to.deep.equal([{ provider: 'orders', subject_field: 'visitor_uid', tools: 1 }]);
  });

  it('degrades one source without a document and keeps the others', () => {
    const catalogue = new Catalogue();
    catalogue.install('orders', revision('orders', draft('z', 'order.z')));
    const view = catalogue.view(
      route({ provider: 'orders', allow: ['*'] }, { provider: 'ships', allow: ['*'] }, { provider: 'off', allow: ['*'] }),
      settings(),
      new Map(),
    );
    expect([...view.tools.keys()]).to.deep.equal(['z']);
    expect(view.unavailable.map(({ provider }) => provider)).to.deep.equal(['ships', 'off']);
  });

  it('fails the whole set closed when two sources share a name, in scope or not', () => {
    const catalogue = new Catalogue();
    catalogue.install('orders', revision('orders', draft('same', 'order.z'), draft('fine', 'order.f')));
    catalogue.install('ships', revision('ships', draft('same', 'hidden.z')));
    const view = catalogue.view(
      route({ provider: 'orders', allow: ['order.*'] }, { provider: 'ships', allow: ['ship.*'] }),
      settings(),
      new Map(),
    );
    expect(view.collisions).to.deep.equal(['same']);
    expect(view.tools.size).to.equal(0);
  });

  it('builds a view once and again only when something it depends on changed', () => {
    const catalogue = new Catalogue();
    catalogue.install('orders', revision('orders', draft('z', 'order.z')));
    const look = (rev: number, subject = 'u') =>
      catalogue.view(route({ provider: 'orders', allow: ['*'] }), settings(rev), new Map([['orders', subject]]));
    const first = look(1);
    expect(look(1, 'somebody else')).to.equal(first);
    expect(look(1, '')).to.not.equal(first);
    expect(look(2)).to.not.equal(first);
    catalogue.install('orders', revision('orders', draft('y', 'order.y')));
    expect([...look(1).tools.keys()]).to.deep.equal(['y']);
    expect([...first.tools.keys()]).to.deep.equal(['z']);
  });
});

describe('subject (WIRE §5)', () => {
  const source = { provider: 'p', allow: ['*'], subject_field: 'operator_uid' };
  const of = (metadata: object, jobSource = 'crm') =>
    subjectOf(source, { source: jobSource, metadata: metadata as Record<string, unknown> });

  it('takes the configured field, then visitor_uid, then the WeCom user of a WeCom job', () => {
    expect(of({ operator_uid: ' u-1 ', visitor_uid: 'v' })).to.equal('u-1');
    expect(of({ operator_uid: 7 })).to.equal('7');
    expect(of({ operator_uid: null, visitor_uid: 'v' })).to.equal('v');
    expect(of({ wecom_userid: 'w' }, 'wecom:main')).to.equal('wecom:w');
    expect(of({ wecom_userid: 'w' })).to.equal('');
    expect(of({})).to.equal('');
  });

  it('is never an object, never inherited, never a header injection', () => {
    expect(of({ operator_uid: { id: 'x' } })).to.equal('');
    expect(subjectOf({ ...source, subject_field: 'toString' }, { source: 'crm', metadata: {} })).to.equal('');
    expect(of({ operator_uid: 'a\r\nX-Evil: 1' })).to.equal('');
    expect(of({ operator_uid: 'x'.repeat(191) })).to.have.length(191);
    expect(of({ operator_uid: 'x'.repeat(192) })).to.equal('');
  });
});
