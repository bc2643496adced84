import { ALWAYS } from '@bailing/app';
import { definePlugin, points } from '@bailing/plugin-api';
import { databases, type FreshDatabase } from '@bailing/store/testing';
import { expect } from 'chai';
import { ask } from '../support/http.js';
import { startHub, type RunningHub } from '../support/hub.js';
import { makeWorld, SERVER_TOKEN, type World } from '../support/world.js';

const SAID = 'sk-said-by-the-plugin-0123456789';

/** Two kinds that throw what they like at a row. */
const odd = definePlugin({
  id: 'source-odd',
  provides: (add) => [
    add(points.toolSource, 'odd', () => ({
      open: () => {
        throw new Error(SAID);
      },
    })),
    add(points.model, 'odd', () => ({
      row: { type: 'object' },
      open: () => {
        throw new TypeError(SAID);
      },
    })),
  ],
});

const [sqlite] = await databases();

describe('A row that its plugin cannot open', () => {
  let world: World;
  let database: FreshDatabase;
  let hub: RunningHub;
  before(async () => {
    if (!sqlite) throw new Error('there is no database');
    database = await sqlite.create();
    world = await makeWorld({ database: database.url });
    hub = await startHub(world, { plugins: [...ALWAYS, odd] });
  });
  after(async () => {
    await hub.hub.stop();
    await world.close();
    await database.drop();
  });

  it('is refused as the row’s fault, by its name, and nothing the plugin said gets out', async () => {
    for (const [collection, row] of [
      ['tool-providers', { name: 'odd', kind: 'odd', base_url: 'http://127.0.0.1:9', spec_json: '{}', secret: 'secret-of-odd' }],
      ['credentials', { name: 'odd', provider: 'odd', api_key: 'key-of-odd' }],
    ] as const) {
      const { status, body } = await ask(hub.url, 'POST', `/admin/api/${collection}`, row, SERVER_TOKEN);
      expect([status, body.code], JSON.stringify(body)).to.deep.equal([400, 'BAILING_OBJECT_INVALID']);
      expect(body.fix).to.match(/\w/);
      expect(JSON.stringify(body)).to.contain('odd').and.not.contain(SAID);
      expect((await ask(hub.url, 'GET', `/admin/api/${collection}/odd`, undefined, SERVER_TOKEN)).status).to.equal(404);
    }
    expect(hub.logged.join('\n')).to.contain('cannot open').and.not.contain(SAID);
  });
});
