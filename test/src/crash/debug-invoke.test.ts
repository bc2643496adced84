import { databases } from '@bailing/store/testing';
import { expect } from 'chai';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { startCountingBusiness } from '../support/counting-business.js';
import { ask } from '../support/http.js';
import { startHubProcess, type HubProcess } from '../support/hub-process.js';
import { readShop } from '../support/shop.js';
import { SECRET, SERVER_TOKEN } from '../support/world.js';

const JOB = '0d9c3bd8-3a52-4a62-9f3b-1c1f6d0e7a99';
const BODY = { tool: 'refund_create', args: { order_no: 'A-1001', amount: 5 }, on_behalf_of: 'u-ada', job_id: JOB };

const UNKNOWN = { ok: false, governance_state: 'reconciliation_required', code: 'BAILING_CALL_UNKNOWN' };

/** Where the hub dies, what had arrived by then, and what is said of it afterwards. Nothing arrives after a restart. */
const EDGES: readonly (readonly [title: string, at: string, arrived: number, says: Readonly<Record<string, unknown>>])[] = [
  ['asked for and not begun', 'accept:after-commit', 0, { ok: false, code: 'BAILING_DEBUG_NOT_SENT' }],
  ['taken and not committed to', 'intend-write:before-commit', 0, { ok: false, code: 'BAILING_DEBUG_NOT_SENT' }],
  ['committed to and not sent', 'intend-write:after-commit', 0, UNKNOWN],
  ['answered and not written down', 'settle-write:before-commit', 1, UNKNOWN],
  ['written down and not told', 'settle-write:after-commit', 1, { ok: true }],
];

for (const fixture of await databases())
  describe(`A hub that dies in a debug call (${fixture.name})`, function () {
    this.timeout(60_000);
    for (const [title, failpoint, arrived, says] of EDGES)
      it(`${title}: sent ${arrived === 0 ? 'never' : 'once'}, and told as it was`, async () => {
        const database = await fixture.create();
        const business = await startCountingBusiness({ secret: SECRET });
        const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bailing-debug-'));
        const configFile = path.join(folder, 'bailing.yaml');
        fs.writeFileSync(configFile, JSON.stringify(readShop({ database: database.url, url: business.url })));
        let hub: HubProcess | null = null;
        try {
          hub = await startHubProcess({ configFile, failpoint, lean: true });
          const at = '/admin/api/tool-providers/shop/debug-invoke';
          await ask(hub?.url ?? '', 'POST', at, BODY, SERVER_TOKEN).catch(() => undefined);
          expect(await hub?.ended).to.equal('SIGKILL');
          expect(business.arrivals).to.have.length(arrived);
          hub = await startHubProcess({ configFile, lean: true });
          const { status, body } = await ask(hub?.url ?? '', 'POST', at, BODY, SERVER_TOKEN);
          expect(status, JSON.stringify(body)).to.equal(200);
          expect(body).to.include({ repeated: true, job_id: JOB, ...says });
          expect(business.arrivals).to.have.length(arrived);
        } finally {
          await hub?.kill();
          await business.close();
          await database.drop();
          fs.rmSync(folder, { recursive: true });
        }
      });
  });
