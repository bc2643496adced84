import type { ToolDraft } from '@bailing/plugin-api';
import { expect } from 'chai';
import { authzRecord, authzTarget, type AuthzTarget } from './authz.js';
import { makeRevision } from './revision.js';

const AT = '2026-01-01T00:00:00.000Z';
const tool = (name: string, more: { subject?: boolean; method?: string; path?: string; required?: string[] } = {}): ToolDraft => ({
  name,
  method: more.method ?? 'GET',
  path: more.path ?? `/${name}`,
  acc: { version: 1, enabled: true, scope: `s.${name}`, ...(more.subject === true && { subject: { required: true } }) },
  input: { type: 'object', properties: {}, required: more.required ?? [] },
  binding: { kind: 'http', method: more.method ?? 'GET', path: more.path ?? `/${name}`, args: {} },
  says: name,
});
const revisionOf = (drafts: ToolDraft[], probe?: { method: 'GET' | 'POST'; path: string }) =>
  makeRevision('p', 'd', { drafts, operations: [], document: [], ...(probe && { probe }) }, { compile: () => () => [] });
const dedicated: AuthzTarget = { mode: 'dedicated', method: 'POST', path: '/authz', scope: '__probe__.authz', requiresSubject: true };

describe('the authorisation probe (WIRE §4.5)', () => {
  it('asks the endpoint that the document dedicates to it', () => {
    expect(authzTarget(revisionOf([tool('a', { subject: true })], { method: 'POST', path: '/authz' }))).to.deep.equal(dedicated);
  });

  it('else a read without required arguments, best one that needs a subject; else nothing', () => {
    const drafts = [
      tool('a'),
      tool('b', { subject: true, required: ['id'] }),
      tool('c', { subject: true, path: '/c/{id}' }),
      tool('d', { subject: true, method: 'POST' }),
    ];
    expect(authzTarget(revisionOf(drafts))).to.include({ mode: 'tool', tool: 'a', method: 'GET', requiresSubject: false });
    expect(authzTarget(revisionOf([...drafts, tool('z', { subject: true })]))).to.include({
      tool: 'z',
      requiresSubject: true,
      scope: 's.z',
    });
    expect(authzTarget(revisionOf(drafts.slice(1)))).to.equal(null);
  });

  const read: AuthzTarget = { ...dedicated, mode: 'tool', method: 'GET', tool: 'a', scope: 's.a' };
  const cases: readonly (readonly [string, AuthzTarget, { status: number; body: string } | null, string])[] = [
    ['a refusal of the dedicated endpoint', dedicated, { status: 403, body: '' }, 'pass'],
    ['its word that nobody is authorised', dedicated, { status: 200, body: '{"authorized":false}' }, 'pass'],
    ['its word that nobody is allowed, first word first', dedicated, { status: 200, body: '{"allow":false,"ok":true}' }, 'pass'],
    ['its word that nobody is somebody', dedicated, { status: 200, body: '{"ok":true}' }, 'suspect'],
    ['text that looks like a word', dedicated, { status: 200, body: '{"ok":"true"}' }, 'inconclusive'],
    ['no JSON', dedicated, { status: 204, body: '' }, 'inconclusive'],
    ['an error', dedicated, { status: 500, body: '{"ok":false}' }, 'inconclusive'],
    ['a redirect', dedicated, { status: 302, body: '' }, 'inconclusive'],
    ['silence', dedicated, null, 'inconclusive'],
    ['a refused read', read, { status: 401, body: '' }, 'pass'],
    ['an answered read that needs a subject', read, { status: 200, body: '[]' }, 'suspect'],
    ['an answered read that needs none', { ...read, requiresSubject: false }, { status: 200, body: '[]' }, 'inconclusive'],
    ['a read that is not there', read, { status: 404, body: '' }, 'inconclusive'],
  ];
  for (const [what, target, answer, status] of cases)
    it(`reads ${what} as ${status}`, () => {
      const record = authzRecord(target, answer, AT);
      expect(record).to.include({ status, mode: target.mode, at: AT });
      expect(record.http).to.equal(answer?.status);
    });
});
