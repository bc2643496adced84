import { BailingError } from '@bailing/plugin-api';
import { expect } from 'chai';
import { ADMIN_TOKEN, CLIENT_TOKEN } from '../test-support/fake-hub.js';
import { serve, type Serving } from '../test-support/serving.js';

describe('stop flags, over real sockets', () => {
  let at: Serving;
  const set = new Set<string>();
  beforeEach(async () => {
    at = await serve();
    set.clear();
    at.hub.stops = {
      list: () => Promise.resolve([...set].map((what) => ({ what, by: 'admin', since: 1_718_000_000_000 }))),
      set: (_, what) => {
        if (what.startsWith('route:no')) throw new BailingError('BAILING_REQUEST_MALFORMED', { at: 'what' });
        return Promise.resolve(void set.add(what));
      },
      clear: (_, what) => Promise.resolve(set.delete(what)),
    };
  });
  afterEach(() => at.server.stop());
  const post = (body: unknown, token = ADMIN_TOKEN) => at.ask('POST', '/admin/api/stops', { token, body });

  it('are set, listed and cleared, those of a tool with their slash encoded', async () => {
    expect((await post({ what: 'tool:orders/refund' })).json()).to.deep.equal({ ok: true, what: 'tool:orders/refund' });
    await post({ what: 'hub' });
    expect((await at.ask('GET', '/admin/api/stops', { token: ADMIN_TOKEN })).json()).to.deep.equal({
      items: ['tool:orders/refund', 'hub'].map((what) => ({ what, by: 'admin', since: '2024-06-10T06:13:20.000Z' })),
    });
    const cleared = await at.ask('DELETE', '/admin/api/stops/tool%3Aorders%2Frefund', { token: ADMIN_TOKEN });
    expect(cleared.json()).to.deep.equal({ ok: true, what: 'tool:orders/refund', was_set: true });
    const again = await at.ask('DELETE', '/admin/api/stops/tool%3Aorders%2Frefund', { token: ADMIN_TOKEN });
    expect([again.status, again.json()]).to.deep.equal([200, { ok: true, what: 'tool:orders/refund', was_set: false }]);
    expect([...set]).to.deep.equal(['hub']);
  });

  it('are refused without a name, with one too long, with one that is not there, and to clients', async () => {
    for (const body of [{}, { what: '' }, { what: 7 }, { what: 'x'.repeat(192) }, [], { what: 'route:nowhere' }]) {
      const refused = await post(body);
      expect([refused.status, refused.json()['at']], JSON.stringify(body)).to.deep.equal([400, 'what']);
    }
    expect((await post({ what: 'hub' }, CLIENT_TOKEN)).status).to.equal(403);
    expect([...set]).to.deep.equal([]);
  });

  it('are not found where the hub has none', async () => {
    delete at.hub.stops;
    expect((await post({ what: 'hub' })).status).to.equal(404);
  });
});
