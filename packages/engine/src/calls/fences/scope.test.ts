import type { ToolDraft } from '@bailing/plugin-api';
import { expect } from 'chai';
import { Catalogue, makeRevision, type Revision } from '../../catalog/index.js';
import type { RouteSettings, Settings } from '../../ports/index.js';
import type { CallDeps } from '../deps.js';
import { Refusal } from '../refusal.js';
import type { Seat } from '../seat.js';
import { scopeFence } from './scope.js';

const route = {
  route_key: 'r',
  enabled: true,
  tools: { sources: [{ provider: 'p', allow: ['s.*'] }], max_calls: 5 },
} as unknown as RouteSettings;
const settings = { rev: 1, route: () => route, provider: () => ({ enabled: true }) } as unknown as Settings;

const strict = {
  risk: { level: 'high' },
  subject: { required: true },
  audit: { sensitive: true },
  approval: { required: true },
  execution: { rate_limit: { count: 5, window: '1m' } },
};
const revision = (acc: object, more: Partial<ToolDraft> = {}): Revision => {
  const draft: ToolDraft = {
    ...{ name: 't', method: 'POST', path: '/t', input: {}, binding: {}, says: 't', ...more },
    acc: { version: 1, enabled: true, scope: 's.t', ...acc },
  };
  return makeRevision('p', JSON.stringify(draft), { drafts: [draft], operations: [], document: [] }, { compile: () => () => [] });
};

/** A job that began with one revision and calls under another. */
async function call(pinned: Revision, today: Revision | null, frozen = new Map<string, string>()) {
  const catalogue = new Catalogue();
  catalogue.install('p', pinned);
  const view = catalogue.view(route, settings, new Map([['p', 'u']]), await catalogue.pinned(undefined));
  catalogue.install('p', today);
  catalogue.freeze('p', frozen);
  const seat = { job: { route: 'r' }, view } as unknown as Seat;
  const deps = { settings: () => settings, current: (name: string) => catalogue.current(name) } as unknown as CallDeps;
  try {
    return scopeFence(seat, { tool: 't', arguments: '{}' }, deps).today.tool.definition;
  } catch (error) {
    if (error instanceof Refusal) return `${error.code} ${error.reason}`;
    throw error;
  }
}

describe('the reach of a call, then and now', () => {
  it('ends where the tool was removed, moved to another scope or to another operation', async () => {
    const pinned = revision({});
    expect(await call(pinned, null)).to.equal('BAILING_TOOL_NOT_GRANTED tool_removed');
    expect(await call(pinned, revision({}, { name: 'other' }))).to.equal('BAILING_TOOL_NOT_GRANTED tool_removed');
    expect(await call(pinned, revision({ scope: 'x.t' }))).to.equal('BAILING_TOOL_NOT_GRANTED tool_removed');
    expect(await call(pinned, revision({}, { path: '/u' }))).to.equal('BAILING_TOOL_NOT_GRANTED tool_moved');
  });

  it('ends where the tool is frozen now, by its name or with its whole provider', async () => {
    for (const tool of ['t', '*'])
      expect(await call(revision({}), revision({}), new Map([[tool, 'It became looser.']]))).to.equal('BAILING_TOOL_FROZEN tool_frozen');
    expect(await call(revision({}), revision({}), new Map([['other', 'x']]))).to.include({ name: 't' });
  });

  it('has every protection of today where the tool was tightened since', async () => {
    expect(await call(revision({}), revision(strict))).to.include({
      ...{ risk: 'high', requiresSubject: true, sensitive: true, confirmRequired: true, sideEffecting: true },
    });
  });

  it('keeps every protection it began with where the tool was loosened since, under the fingerprint of today', async () => {
    const loosened = revision({ execution: { readonly: true } });
    const tool = await call(revision(strict), loosened);
    expect(tool).to.deep.include({
      ...{ risk: 'high', requiresSubject: true, sensitive: true, confirmRequired: true, sideEffecting: true, readonly: false },
      rateLimit: { count: 5, window: '1m' },
      fingerprint: loosened.tools.get('t')?.definition.fingerprint,
    });
  });

  it('takes the lower of two rate limits, whichever came later', async () => {
    const rate = (count: number, window: string) => revision({ execution: { rate_limit: { count, window } } });
    const limit = async (pinned: Revision, today: Revision) => {
      const tool = await call(pinned, today);
      return typeof tool === 'string' ? tool : tool.rateLimit;
    };
    expect(await limit(rate(5, '1m'), rate(1, '1s'))).to.deep.equal({ count: 5, window: '1m' });
    expect(await limit(rate(1, '1s'), rate(5, '1m'))).to.deep.equal({ count: 5, window: '1m' });
  });

  it('is the same tool, untouched, where nothing that matters changed', async () => {
    const today = revision({}, { says: 'other words' });
    expect(await call(revision({}), today)).to.equal(today.tools.get('t')?.definition);
  });
});
