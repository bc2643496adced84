import { BailingError } from '@bailing/plugin-api';
import { expect } from 'chai';
import type { Caller } from '../hub-api.js';
import { readRunRequest } from './run-request.js';

const CLIENT: Caller = { kind: 'client', appId: 'crm' };
const ADMIN: Caller = { kind: 'admin', name: 'admin' };
const GOOD = { request_id: 'crm:refund:1', route: 'refund_review', input: 'Review refund 42.' };

function refusal(body: unknown, caller: Caller = CLIENT): readonly [status: number, at: string | undefined] {
  try {
    readRunRequest(body, caller);
  } catch (error) {
    if (error instanceof BailingError) return [error.entry.status, error.at];
    throw error;
  }
  return [200, undefined];
}

describe('the reading of a /run body', () => {
  it('keeps every member as it came', () => {
    const metadata = { principal: { id: 'u-1', tenant: 't-1' } };
    const read = readRunRequest({ ...GOOD, metadata, callback_url: 'https://biz.example/cb' }, CLIENT);
    expect(read).to.deep.equal({ ...GOOD, metadata, callback_url: 'https://biz.example/cb' });
  });

  it('reads an empty array of metadata as an empty object, and only that', () => {
    expect(readRunRequest({ ...GOOD, metadata: [] }, CLIENT).metadata).to.deep.equal({});
    expect(readRunRequest(GOOD, CLIENT).metadata).to.deep.equal({});
    for (const metadata of [[1], 'x', 1, true, null, [[]]]) expect(refusal({ ...GOOD, metadata })).to.deep.equal([400, 'metadata']);
  });

  it('wants an object', () => {
    for (const body of [null, [], [GOOD], 'x', 1, true, undefined]) expect(refusal(body)).to.deep.equal([400, 'body']);
  });

  it('wants a request_id and an input that are not blank and not too long, counted in UTF-16 units', () => {
    for (const name of ['request_id', 'input']) {
      for (const value of [undefined, null, '', '  \t\n\u3000', 1, {}, ['a']])
        expect(refusal({ ...GOOD, [name]: value })).to.deep.equal([400, name]);
    }
    expect(refusal({ ...GOOD, request_id: 'r'.repeat(128) })).to.deep.equal([200, undefined]);
    expect(refusal({ ...GOOD, request_id: 'r'.repeat(129) })).to.deep.equal([400, 'request_id']);
    expect(refusal({ ...GOOD, request_id: '😀'.repeat(64) })).to.deep.equal([200, undefined]);
    expect(refusal({ ...GOOD, request_id: '😀'.repeat(65) })).to.deep.equal([400, 'request_id']);
    expect(refusal({ ...GOOD, input: 'i'.repeat(100_000) })).to.deep.equal([200, undefined]);
    expect(refusal({ ...GOOD, input: 'i'.repeat(100_001) })).to.deep.equal([400, 'input']);
    expect(readRunRequest({ ...GOOD, input: ' x ' }, CLIENT).input).to.equal(' x ');
  });

  it('wants an absolute http or https callback_url', () => {
    const url = (length: number): string => 'https://biz.example/'.padEnd(length, 'a');
    expect(refusal({ ...GOOD, callback_url: url(2_048) })).to.deep.equal([200, undefined]);
    for (const callback_url of [
      'https://usr:pw@a.example/',
      'http://usr@a.example/',
      url(2_049),
      '/cb',
      'ftp://biz.example/',
      'https:biz.example',
      'https://',
      'javascript:alert(1)',
      '',
      1,
      null,
      ' https://biz.example/',
    ]) {
      expect(refusal({ ...GOOD, callback_url }), String(callback_url)).to.deep.equal([400, 'callback_url']);
    }
  });

  it('wants a route of a client to have its form; auto is one', () => {
    expect(readRunRequest({ ...GOOD, route: 'auto' }, CLIENT).route).to.equal('auto');
    for (const route of [undefined, null, '', 'a', 'A1', '-a', 'a.b', `a${'b'.repeat(64)}`, 'refund\n', 1]) {
      expect(refusal({ ...GOOD, route }), String(route)).to.deep.equal([400, 'route']);
    }
  });

  it('forbids a client project and profile where they say something', () => {
    expect(refusal({ ...GOOD, project: 'p' })).to.deep.equal([403, 'project']);
    expect(refusal({ ...GOOD, profile: 'full' })).to.deep.equal([403, 'profile']);
    for (const value of ['', null, false, 0]) expect(refusal({ ...GOOD, project: value, profile: value })).to.deep.equal([200, undefined]);
  });

  it('refuses members a client does not know, source and wait_ms among them', () => {
    for (const name of ['source', 'wait_ms', 'callback', 'constructor', ''])
      expect(refusal({ ...GOOD, [name]: 'x' })).to.deep.equal([400, name]);
    expect(refusal(JSON.parse(`{"request_id":"a","route":"refunds","input":"x","__proto__":{}}`))).to.deep.equal([400, '__proto__']);
  });

  it('keeps the order of the contract', () => {
    const bad = { request_id: '', input: '', metadata: 1, callback_url: 1, route: '', project: 'p', x: 1 };
    const fixes = [
      { request_id: 'a' },
      { input: 'a' },
      { metadata: {} },
      { callback_url: 'https://a.example' },
      { route: 'refunds' },
      { project: '' },
    ];
    const seen = fixes.map((_, index) => refusal(Object.assign({}, bad, ...fixes.slice(0, index)))[1]);
    expect(seen).to.deep.equal(['request_id', 'input', 'metadata', 'callback_url', 'route', 'project']);
    expect(refusal(Object.assign({}, bad, ...fixes))).to.deep.equal([400, 'x']);
  });

  it('lets an administrator leave the route out, choose source and profile, and send more; a project is refused by name', () => {
    const read = readRunRequest({ request_id: 'a', input: 'b', source: 'console', profile: 'full', project: '', anything: 1 }, ADMIN);
    expect(read).to.deep.equal({
      request_id: 'a',
      input: 'b',
      route: '',
      metadata: {},
      source: 'console',
      profile: 'full',
    });
    expect(refusal({ ...GOOD, project: 'site' }, ADMIN)).to.deep.equal([400, 'project']);
    expect(readRunRequest({ ...GOOD, route: 'Refunds.Special:1' }, ADMIN).route).to.equal('Refunds.Special:1');
    for (const name of ['route', 'source', 'project', 'profile']) {
      expect(refusal({ ...GOOD, [name]: 1 }, ADMIN)).to.deep.equal([400, name]);
      expect(refusal({ ...GOOD, [name]: 'x'.repeat(129) }, ADMIN)).to.deep.equal([400, name]);
    }
  });
});
