import type { ExplainedCall, Explanation } from '@bailing/engine';
import { databases, type FreshDatabase } from '@bailing/store/testing';
import { expect } from 'chai';
import { bailing } from '../support/cli.js';
import { shopDocument } from '../support/counting-business.js';
import { ask } from '../support/http.js';
import { ShopWorld, type WorkItem } from '../support/shop-world.js';
import { SECRET, SERVER_TOKEN } from '../support/world.js';

const TABLES = [
  'bz_jobs',
  'bz_job_texts',
  'bz_tool_executions',
  'bz_tool_approvals',
  'bz_audit',
  'bz_rate_spends',
  'bz_outbox',
  'bz_stops',
];

async function rowsOf(database: FreshDatabase): Promise<string> {
  const tables = await Promise.all(TABLES.map((table) => database.query(`SELECT * FROM ${table}`)));
  return JSON.stringify(tables);
}

/** The shop's document with one operation nobody can call, and one that is not for this route. */
function document(): object {
  const { paths, ...rest } = shopDocument() as { paths: object };
  const capability = { version: 1, enabled: true, scope: 'order.purge' };
  const stock = { ...capability, scope: 'stock.read' };
  return {
    ...rest,
    paths: {
      ...paths,
      '/purge': { post: { operationId: 'order_purge', 'x-agent-capability': capability, responses: {} } },
      '/stock': { get: { operationId: 'stock_read', 'x-agent-capability': stock, responses: {} } },
    },
  };
}

for (const fixture of await databases()) {
  describe(`Why and why not, on ${fixture.name}`, function () {
    this.timeout(30_000);
    let world: ShopWorld;
    let work: WorkItem;

    before(async () => {
      world = await ShopWorld.open(fixture, { shop: { target: 'my-agent', maxCalls: 50, providerRate: 100, document: document() } });
      work = await world.work();
    });
    after(() => world.close());

    const explain = async (more: object = {}): Promise<Explanation> => {
      const { status, body } = await ask(
        world.url,
        'POST',
        '/admin/api/explain',
        { route: 'orders', subject: 'u-ada', ...more },
        SERVER_TOKEN,
      );
      expect(status, JSON.stringify(body)).to.equal(200);
      return body as unknown as Explanation;
    };
    const explainCall = async (tool: string, args: unknown, more: object = {}): Promise<ExplainedCall> =>
      (await explain({ tool, arguments: args, ...more })).call as ExplainedCall;
    const refused = (call: ExplainedCall) => call.steps.filter(({ is }) => is === 'refuse').flatMap(({ causes }) => causes);

    it('says which tools are shown, and of every other one by which setting and what to do', async () => {
      const { tools } = await explain({ subject: undefined });
      expect(tools.visible.map(({ name }) => name)).to.deep.equal(['credit_grant', 'note_set', 'order_read']);
      const hidden = Object.fromEntries(tools.hidden.map(({ name, because }) => [name, because[0]]));
      expect(hidden['refund_create']).to.include({
        code: 'BAILING_SUBJECT_MISSING',
        setting: 'routes[orders].tools.sources[shop].subject_field',
      });
      expect(hidden['refund_create']?.fix).to.contain('metadata.operator_uid');
      expect(hidden['stock_read']).to.include({ code: 'BAILING_TOOL_NOT_GRANTED', setting: 'routes[orders].tools.sources[shop].allow' });
      expect(hidden['stock_read']?.fix).to.contain('"stock.read"');
      expect(tools.refused.map(({ operation, because }) => [operation, because[0]?.code])).to.deep.equal([
        ['POST /purge', 'write_without_schema'],
      ]);
      expect((await explain()).tools.counts).to.deep.equal({ visible: 4, hidden: 1, refused: 1 });
    });

    it('answers for a call what the exit then answers, word for word', async () => {
      const cases: readonly (readonly [tool: string, args: unknown])[] = [
        ['order_read', { order_no: 'A-1001' }],
        ['refund_create', { order_no: 'A-1001', amount: 5 }],
        ['refund_create', { order_no: 'A-1001', amount: 5_000 }],
        ['refund_create', { order_no: 'nonsense', amount: 5 }],
        ['refund_create', { order_no: 'A-1001', amount: 5, extra: 1 }],
        ['stock_read', {}],
        ['order_purge', {}],
        ['no_such_tool', {}],
        ['credit_grant', { order_no: 'A-1001', amount: 1 }],
        ['credit_grant', { order_no: 'A-1001', amount: 2 }],
        ['credit_grant', { order_no: 'A-1001', amount: 3 }],
        ['credit_grant', { order_no: 'A-1001', amount: 4 }],
      ];
      for (const [tool, args] of cases) {
        const told = await explainCall(tool, args);
        const { body } = await world.invoke(work, tool, args);
        const code = { be_sent: undefined, be_held_for_approval: 'BAILING_APPROVAL_PENDING', be_refused: refused(told)[0]?.code }[
          told.would
        ];
        expect([tool, body.code], JSON.stringify(told.steps)).to.deep.equal([tool, code]);
      }
    });

    it('names the missing subject where only that hides a granted tool, as the exit does', async () => {
      const args = { order_no: 'A-1001', amount: 5 };
      const told = await explainCall('refund_create', args, { subject: undefined });
      for (const cause of refused(told)) {
        expect(cause).to.include({ code: 'BAILING_SUBJECT_MISSING', setting: 'routes[orders].tools.sources[shop].subject_field' });
        expect(cause.fix).to.contain('metadata.operator_uid');
      }
      expect(told.would).to.equal('be_refused');
      const job = await world.work('for nobody', {});
      const { status, body } = await world.invoke(job, 'refund_create', args);
      expect([status, body.code, body.ok]).to.deep.equal([200, 'BAILING_SUBJECT_MISSING', false]);
      await world.report(job, { ok: true, output: { text: 'done' } });
    });

    it('names no approval of a call that nobody proposed yet', async () => {
      const held = await explainCall('refund_create', { order_no: 'A-1001', amount: 5_000 });
      const [cause] = held.steps.find(({ is }) => is === 'hold')?.causes ?? [];
      expect(cause?.fix)
        .to.match(/^Propose the call: it is held for approval/)
        .and.not.contain('named approval');
    });

    it('shows the bytes that would leave, exactly as they then leave, and no secret', async () => {
      const args = { order_no: 'A-2002', note: 'zwölf' };
      const { request } = await explainCall('note_set', args, { client_app_id: 'back-office' });
      await world.invoke(work, 'note_set', args);
      const arrived = world.business.arrivals.at(-1);
      expect(request).to.include({ method: 'PUT', url: `${world.business.url}${arrived?.target ?? ''}`, signed_target: arrived?.target });
      const sent = new Map(pairs(arrived?.headers ?? []));
      for (const [name, value] of request?.headers ?? [])
        if (!value.startsWith('<')) expect(sent.get(name.toLowerCase()), name).to.equal(value);
      expect([...sent.keys()].filter((name) => name.startsWith('x-bailing-')).sort()).to.deep.equal(
        (request?.headers ?? [])
          .map(([name]) => name.toLowerCase())
          .filter((name) => name.startsWith('x-bailing-'))
          .sort(),
      );
      expect(JSON.parse(request?.body ?? '')).to.deep.equal({ note: 'zwölf' });
      expect(request?.string_to_sign).to.contain('.u-ada.<id of the job>');
      expect(JSON.stringify(request)).not.to.contain(SECRET);
    });

    it('says what quotas would be spent and what is left of them', async () => {
      const { spends } = await explainCall('credit_grant', { order_no: 'A-1001', amount: 9 });
      expect(spends[0]).to.deep.include({ bucket: 'tool:shop:credit_grant', limit: 3, window_ms: 60_000, cost: 1, used: 3, left: 0 });
      expect(spends[1]).to.include({ bucket: 'provider:shop', limit: 100, setting: 'tool_providers[shop].rate_limit_per_min' });
      expect(spends[1]?.used).to.equal(world.business.arrivals.length);
    });

    it('names a flag that stops the hub', async () => {
      await ask(world.url, 'POST', '/admin/pause', {}, SERVER_TOKEN);
      const { stops, call } = await explain({ tool: 'order_read', arguments: '{"order_no":"A-1001"}' });
      await ask(world.url, 'POST', '/admin/resume', {}, SERVER_TOKEN);
      expect(stops).to.have.length(1);
      expect(stops[0]).to.include({ code: 'BAILING_CALL_STOPPED', fix: 'Lift it: POST /admin/resume.' });
      expect(call?.would).to.equal('be_refused');
    });

    it('sends nothing, counts nothing and writes nothing', async () => {
      await world.settled(work.job_id);
      const before = [await rowsOf(world.database), world.business.arrivals.length, world.business.refused.length];
      for (let turn = 0; turn < 3; turn += 1) {
        await explain();
        await explain({ subject: '' });
        await explainCall('refund_create', { order_no: 'A-1001', amount: 5_000 });
        await explainCall('credit_grant', { order_no: 'A-1001', amount: 1 });
        await explainCall('refund_create', '{"a":1,"a":2}');
        await explainCall('stock_read', {});
      }
      expect([await rowsOf(world.database), world.business.arrivals.length, world.business.refused.length]).to.deep.equal(before);
    });

    it('refuses what it does not know, by the field', async () => {
      const asked = async (body: unknown, token: string | null = SERVER_TOKEN) => ask(world.url, 'POST', '/admin/api/explain', body, token);
      expect((await asked({ route: 'none' })).body).to.include({ code: 'BAILING_ROUTE_UNKNOWN', at: 'route' });
      expect((await asked({ route: 'orders', client_app_id: 'nobody' })).body).to.include({ at: 'client' });
      expect((await asked({ route: 'orders', metadat: {} })).body).to.include({ at: 'metadat' });
      expect((await asked({})).body).to.include({ at: 'route' });
      expect((await asked({ route: 'orders' }, null)).status).to.equal(401);
      expect((await asked({ route: 'orders' }, 'client-token-of-the-tests-0001')).status).to.equal(403);
    });

    if (fixture.name !== 'sqlite') return;
    it('and bailing explain prints it', async () => {
      const args = ['--tool', 'refund_create', '--args', '{"order_no":"A-1001","amount":5000}'];
      const { code, out } = await bailing(world.url, 'explain', '--route', 'orders', '--subject', 'u-ada', ...args);
      expect(code, out).to.equal(0);
      expect(out).to.contain('refund_create would be held for approval');
      expect(out).to.contain('document of shop, POST /refunds: x-agent-capability.approval.when');
    });
  });
}

function pairs(flat: readonly string[]): [string, string][] {
  return flat.flatMap((name, index) => (index % 2 === 0 ? [[name.toLowerCase(), flat[index + 1] ?? ''] as [string, string]] : []));
}
