import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { databases } from '@bailing/store/testing';
import { expect } from 'chai';
import { ask } from '../support/http.js';
import { root } from '../support/root.js';
import { ShopWorld } from '../support/shop-world.js';
import { CLIENT_TOKEN, SERVER_TOKEN } from '../support/world.js';

const REFUND = { tool: 'refund_create', arguments: { order_no: 'A-1001', amount: 300 } };
const READ = { tool: 'order_read', arguments: { order_no: 'A-1001' } };

/** The `bailing` command, as an operator types it. */
function bailing(...args: string[]): { status: number | null; out: string; err: string } {
  const bin = path.join(root, 'packages', 'app', 'dist', 'bin.js');
  const done = spawnSync(process.execPath, [bin, ...args], { encoding: 'utf8', env: { ...process.env, NO_COLOR: '1' } });
  return { status: done.status, out: done.stdout, err: done.stderr };
}

for (const fixture of await databases()) {
  describe(`journey: an operator stops calls and looks at the evidence, on ${fixture.name}`, function () {
    this.timeout(60_000);
    let world: ShopWorld;
    beforeEach(async () => {
      world = await ShopWorld.open(fixture);
    });
    afterEach(() => world.close());

    it('stops one tool by name: the other goes on, the stopped one is refused and nothing of it reaches the business', async () => {
      const admin = (method: string, at: string, body?: unknown) => ask(world.url, method, `/admin/api/stops${at}`, body, SERVER_TOKEN);
      expect((await admin('POST', '', { what: 'tool:shop/refund_create' })).status).to.equal(200);
      const job = await world.run([[READ], [REFUND]]);
      expect((job.result as { text: string }).text).to.include('tool:shop/refund_create');
      expect(world.business.arrivals.map(({ tool }) => tool)).to.deep.equal(['order_read']);
      expect((await admin('GET', '')).body.items).to.have.length(1);
      await admin('DELETE', `/${encodeURIComponent('tool:shop/refund_create')}`);
      await world.run([[REFUND]]);
      expect(world.business.effects()).to.have.length(1);
    });

    it('cannot stop what is not there by a typing error, nor without being an administrator', async () => {
      for (const what of [
        'tool:shop/refund_creat',
        'provider:shopp',
        'route:x',
        'client:x',
        'tools:shop/refund_create',
        'tool:shop',
        'HUB',
      ]) {
        const { status, body } = await ask(world.url, 'POST', '/admin/api/stops', { what }, SERVER_TOKEN);
        expect([status, body.at], what).to.deep.equal([400, 'what']);
      }
      expect((await ask(world.url, 'POST', '/admin/api/stops', { what: 'hub' }, CLIENT_TOKEN)).status).to.equal(403);
      expect((await ask(world.url, 'GET', '/admin/api/stops', undefined, CLIENT_TOKEN)).status).to.equal(403);
    });

    // A command takes more than a second to start. The store's own tests do the same on every database.
    const byCommand = fixture.name === 'sqlite' ? it : undefined;
    byCommand?.('the same from the command line', async () => {
      const reach = ['--url', world.url, '--token', SERVER_TOKEN];
      const set = await inBackground(['stops', 'set', 'route:orders', ...reach]);
      expect([set.status, set.out]).to.deep.equal([0, 'route:orders is stopped.\n']);
      expect((await inBackground(['stops', 'list', ...reach])).out).to.match(/^route:orders {2}by admin, since /);
      expect((await inBackground(['stops', 'clear', 'route:orders', ...reach])).out).to.equal('route:orders is not stopped any more.\n');
      const again = await inBackground(['stops', 'clear', 'route:orders', ...reach]);
      expect([again.status, again.out]).to.deep.equal([1, '']);
      expect(again.err).to.match(/^route:orders was not set, so nothing was lifted\. .*bailing stops list/);
      expect((await ask(world.url, 'GET', '/admin/api/stops', undefined, SERVER_TOKEN)).body.items).to.deep.equal([]);
    });

    byCommand?.('verifies the ledger: whole after work, and every edit, removal and exchange of lines is found', async () => {
      await world.run([[READ], [REFUND]]);
      await world.stop();
      const verify = () => bailing('audit', 'verify', '--database', world.database.url);
      const whole = verify();
      expect([whole.status, whole.err], whole.out).to.deep.equal([0, '']);
      expect(whole.out).to.match(/^The ledger is whole: [1-9]\d* lines in [1-9]\d* chains, [1-9]\d* checkpoints\.\n$/);
      for (const sql of HARM) await world.database.query(sql);
      const { status, out, err } = verify();
      expect(status, `${out} ${err}`).to.equal(1);
      expect(out).to.match(/^The ledger was changed: /);
      for (const says of ['edited', 'missing', 'reordered']) expect(err).to.include(`${says}: row `);
      expect(bailing('audit', 'verify', '--database', `sqlite:${path.join(root, 'no', 'such.db')}`).err).to.include(
        'There is no database file',
      );
    });
  });
}

/** What somebody with the database may try. The store's own tests try every column; here the command has to tell. */
const HARM = [
  `UPDATE bz_audit SET detail = '{}' WHERE event = 'tool_call'`,
  `DELETE FROM bz_audit WHERE event = 'tool_result'`,
  `UPDATE bz_audit SET id = 900000 WHERE event = 'started'`,
];

/** The command beside a hub in this process: waiting for it must not keep the hub from answering. */
async function inBackground(args: string[]): Promise<{ status: number | null; out: string; err: string }> {
  const { spawn } = await import('node:child_process');
  const child = spawn(process.execPath, [path.join(root, 'packages', 'app', 'dist', 'bin.js'), ...args], {
    env: { ...process.env, NO_COLOR: '1' },
  });
  let out = '';
  let err = '';
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  const status = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { status, out, err };
}
