import { signCall, stringToSign } from '@bailing/contract';
import { databases } from '@bailing/store/testing';
import { expect } from 'chai';
import { bailing } from '../support/cli.js';
import { ask, eventsOf, type Answer } from '../support/http.js';
import { ShopWorld } from '../support/shop-world.js';
import { SECRET, SERVER_TOKEN } from '../support/world.js';

const AT = '/admin/api/tool-providers/shop/debug-invoke';
const ID = '0d9c3bd8-3a52-4a62-9f3b-1c1f6d0e7a01';
const REFUND = { tool: 'refund_create', args: { order_no: 'A-1001', amount: 5 }, on_behalf_of: 'u-ada' };

interface Shown {
  readonly ok: boolean;
  readonly job_id: string;
  readonly repeated?: true;
  readonly blocked?: true;
  readonly reason?: string;
  readonly code?: string;
  readonly fix?: string;
  readonly governance_state?: string;
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly path_with_query: string;
    readonly body: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly signature_material: string;
  } | null;
  readonly response?: { readonly status: number; readonly text: string; readonly truncated: boolean };
}

for (const fixture of await databases()) {
  describe(`An operator tries one tool, on ${fixture.name}`, function () {
    this.timeout(30_000);
    let world: ShopWorld;
    let react: 'answer' | 'long' | 'echo' = 'answer';
    before(async () => {
      world = await ShopWorld.open(fixture, {
        shop: { providerRate: 0 },
        react: ({ headers }) => {
          if (react === 'echo') return { is: 'answer', status: 200, body: JSON.stringify(headers) };
          return { is: 'answer', status: 200, ...(react === 'long' && { body: 'é'.repeat(50_000), type: 'text/plain' }) };
        },
      });
    });
    after(() => world.close());
    beforeEach(() => (react = 'answer'));

    const post = (body: unknown, at = AT, token: string | null = SERVER_TOKEN): Promise<Answer> => ask(world.url, 'POST', at, body, token);
    const debug = async (body: object): Promise<Shown> => {
      const { status, body: shown } = await post(body);
      expect(status, JSON.stringify(shown)).to.equal(200);
      return shown as unknown as Shown;
    };
    const arrivals = () => world.business.arrivals.length;
    const asked = async (): Promise<Record<string, unknown>[]> =>
      (await world.database.query("SELECT detail FROM bz_audit WHERE event = 'tool_debug_invoke' ORDER BY id")).map(
        ({ detail }) => JSON.parse(String(detail)) as Record<string, unknown>,
      );

    it('sees the bytes that were signed and what the business said, and never what would open the business again', async () => {
      const before = arrivals();
      const shown = await debug({ tool: 'order_read', args: { order_no: 'A-1001', view: 'a b' } });
      expect(shown).to.include({ ok: true });
      expect(arrivals()).to.equal(before + 1);
      const arrived = world.business.arrivals.at(-1);
      const { request, response } = shown;
      expect(request).to.include({
        method: 'GET',
        path_with_query: arrived?.target,
        body: '',
        url: world.business.url + (arrived?.target ?? ''),
      });
      expect(response).to.include({ status: 200, truncated: false });
      // The string to sign is the one that was signed: with the secret it makes the signature that arrived.
      const signed = { method: 'GET', target: arrived?.target ?? '', body: '', onBehalfOf: '', jobId: shown.job_id };
      const timestamp = request?.headers['X-Bailing-Timestamp'] ?? '';
      expect(request?.signature_material).to.equal(stringToSign({ ...signed, timestamp }));
      const raw = arrived?.headers ?? [];
      const header = (name: string) => raw[raw.findIndex((one) => one.toLowerCase() === name) + 1];
      const signature = signCall(SECRET, { ...signed, timestamp });
      expect(header('x-bailing-signature')).to.equal(signature);
      expect(header('x-bailing-client')).to.equal('admin-debug');
      const everything = JSON.stringify(shown);
      for (const secret of [SECRET, signature, signature.slice('sha256='.length)]) expect(everything).not.to.contain(secret);
      for (const [name, value] of Object.entries(request?.headers ?? {}))
        if (name !== 'X-Bailing-Signature') expect(header(name.toLowerCase()), name).to.equal(value);
    });

    it('goes through the exit: fences, journal, audit, and the ledger knows who asked', async () => {
      const shown = await debug(REFUND);
      expect(shown).to.include({ ok: true });
      const { events } = { events: await eventsOf(world.url, shown.job_id) };
      expect(events.map(({ event }) => event)).to.deep.equal(['received', 'started', 'tool_call', 'tool_result', 'finished']);
      const rows = await world.database.query(
        `SELECT state, idempotency_key, on_behalf_of FROM bz_tool_executions WHERE job_id = '${shown.job_id}'`,
      );
      expect(rows).to.have.length(1);
      expect(rows[0]).to.include({ state: 'completed', on_behalf_of: 'u-ada' });
      expect(shown.request?.headers['X-Bailing-Idempotency-Key']).to.equal(rows[0]?.['idempotency_key']);
      const line = (await asked()).at(-1);
      expect(line).to.deep.equal({
        ...{ by: 'admin', method: 'POST', path: AT, provider: 'shop', tool: 'refund_create' },
        ...{ on_behalf_of: 'u-ada', allow_risky: false, job_id: shown.job_id },
      });
      expect(JSON.stringify(line)).not.to.contain('A-1001');
    });

    it('is refused before anything is sent where the arguments, the subject or the tool are wrong, with what to do', async () => {
      const before = arrivals();
      for (const [code, body] of [
        ['BAILING_ARGS_INVALID', { ...REFUND, args: { order_no: 'nonsense', amount: 5 } }],
        ['BAILING_ARGS_INVALID', { ...REFUND, args: { ...REFUND.args, undeclared: 1 } }],
        ['BAILING_ARGS_MALFORMED', { ...REFUND, args: '{"amount":1,"amount":2}' }],
        ['BAILING_SUBJECT_MISSING', { ...REFUND, on_behalf_of: '' }],
      ] as const) {
        const shown = await debug(body);
        expect(shown, JSON.stringify(body)).to.include({ ok: false, code, request: null });
        expect(shown.fix).to.match(/\w/);
        expect((await eventsOf(world.url, shown.job_id)).map(({ event }) => event)).to.include('tool_blocked');
      }
      for (const on_behalf_of of ['a\nb', ' u-ada']) {
        const odd = await post({ ...REFUND, on_behalf_of });
        expect([odd.status, odd.body.code, odd.body.at]).to.deep.equal([400, 'BAILING_REQUEST_MALFORMED', 'on_behalf_of']);
        expect(JSON.stringify(odd.body)).to.not.match(/trigger/);
      }
      const unknown = await post({ tool: 'no_such_tool' });
      expect([unknown.status, unknown.body.at]).to.deep.equal([400, 'tool']);
      expect(unknown.body.error).to.contain('refund_create');
      expect((await post({ tool: 'order_read' }, AT.replace('shop', 'none'))).status).to.equal(404);
      expect(arrivals()).to.equal(before);
    });

    it('is blocked where the tool needs confirmation, until the request allows exactly that', async () => {
      const before = arrivals();
      const risky = { ...REFUND, args: { order_no: 'A-1001', amount: 5_000 } };
      const blocked = await debug(risky);
      expect(blocked).to.include({ ok: false, blocked: true, code: 'BAILING_DEBUG_BLOCKED' });
      expect(blocked.reason).to.contain('refund above 1000');
      expect(blocked.request?.body).to.equal('{"order_no":"A-1001","amount":5000}');
      expect(blocked.request?.signature_material).to.match(/^<unix seconds of sending>\.POST\.\/refunds\./);
      expect([arrivals(), blocked.response]).to.deep.equal([before, undefined]);
      expect(await debug({ ...risky, allow_risky: true })).to.include({ ok: true });
      expect(arrivals()).to.equal(before + 1);
      expect((await asked()).at(-1)).to.include({ allow_risky: true });
    });

    it('happens once, however often it is asked under one job_id, also at the same moment', async () => {
      const before = arrivals();
      const once = { ...REFUND, job_id: ID };
      const all = await Promise.all([1, 2, 3, 4].map(() => debug(once)));
      const again = await debug(once);
      expect(arrivals()).to.equal(before + 1);
      expect(again).to.include({ ok: true, repeated: true, job_id: ID });
      for (const shown of all) {
        expect(shown.response, JSON.stringify(shown)).to.deep.equal(again.response);
        expect(shown.request).to.deep.equal(again.request);
      }
      for (const other of [
        { ...once, on_behalf_of: 'u-eve' },
        { ...once, args: { order_no: 'A-1001', amount: 6 } },
        { ...once, allow_risky: true },
      ])
        expect((await post(other)).body).to.include({ code: 'BAILING_DEBUG_JOB_TAKEN', at: 'job_id' });
      const job = await world.submit('a job of somebody');
      expect((await post({ ...REFUND, job_id: job })).status).to.equal(409);
      expect(arrivals()).to.equal(before + 1);
    });

    it('shows no signature that could be used again, also where the business echoes what it was sent', async () => {
      react = 'echo';
      const shown = await debug({ ...REFUND, args: { order_no: 'A-1001', amount: 9 } });
      expect(shown.response?.text).to.contain('sha256=[signature]').and.contain(shown.job_id);
      const raw = world.business.arrivals.at(-1)?.headers ?? [];
      const signature = raw[raw.findIndex((one) => one.toLowerCase() === 'x-bailing-signature') + 1]?.slice('sha256='.length) ?? '';
      expect(signature).to.match(/^[0-9a-f]{64}$/);
      const stored = await Promise.all(
        ['bz_job_texts', 'bz_tool_executions', 'bz_audit'].map((table) => world.database.query(`SELECT * FROM ${table}`)),
      );
      const everything = JSON.stringify([shown, stored], (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
      expect(everything).to.not.contain(signature);
    });

    it('shows no more of an answer than 64 KiB, cut at a character', async () => {
      react = 'long';
      const long = await debug({ tool: 'order_read', args: { order_no: 'A-1001' } });
      expect(long.response).to.include({ truncated: true });
      expect(Buffer.byteLength(long.response?.text ?? '')).to.be.within(65_000, 65_536);
      expect(long.response?.text).not.to.contain('\uFFFD');
    });

    it('keeps arguments and answers out of everything but the answer to the operator, where the log policy says so', async () => {
      const quiet = await ShopWorld.open(fixture, { shop: { logPayload: false } });
      try {
        const body = { ...REFUND, args: { order_no: 'A-7777', amount: 9 } };
        const shown = (await ask(quiet.url, 'POST', AT, body, SERVER_TOKEN)).body as unknown as Shown;
        expect(shown.request?.body).to.contain('A-7777');
        expect(shown.response?.text).to.match(/^<\d+ bytes>$/);
        const job = `/admin/api/runs/${shown.job_id}`;
        for (const at of [`/jobs/${shown.job_id}`, job, `${job}/trace`, `${job}/audit`, `${job}/bundle`, '/admin/api/runs']) {
          const answer = await ask(quiet.url, 'GET', at, undefined, SERVER_TOKEN);
          expect(answer.status, at).to.equal(200);
          expect(JSON.stringify(answer.body), at).not.to.contain('A-7777');
        }
      } finally {
        await quiet.close();
      }
    });

    it('is not done while the hub is paused, and not for whoever may not change tools', async () => {
      await ask(world.url, 'POST', '/admin/pause', {}, SERVER_TOKEN);
      expect((await post(REFUND)).body).to.include({
        code: 'BAILING_HUB_PAUSED',
        fix: 'Resume the hub, then send the same request again.',
      });
      await ask(world.url, 'POST', '/admin/resume', {}, SERVER_TOKEN);
      expect((await post(REFUND, AT, null)).status).to.equal(401);
    });

    it('is asked from the command line as well', async () => {
      const run = await bailing(world.url, 'invoke', 'shop', 'order_read', '--args', '{"order_no":"A-1001"}');
      expect(run.code, run.out).to.equal(0);
      expect(run.out).to.match(/GET http.*\/orders\/A-1001/);
      expect(run.out).to.contain('string to sign').and.contain('answer 200');
      const risky = ['--subject', 'u-ada', '--args', '{"order_no":"A-1001","amount":5000}'];
      const blocked = await bailing(world.url, 'invoke', 'shop', 'refund_create', ...risky);
      expect(blocked.code).to.equal(1);
      expect(blocked.out).to.contain('--allow-risky');
      const none = await bailing(world.url, 'approvals', 'approve', '99');
      expect([none.code, none.out.includes('404: There is no approval 99. Check')], none.out).to.deep.equal([1, true]);
      const job = ID.replace(/1$/, 'f');
      for (const [method, at, detail] of [
        ['POST', AT.replace('shop', 'nope'), 'There is no tool provider "nope".'],
        ['POST', '/admin/api/delivery-dlq/2/resolve', 'There is no letter 2.'],
        ['POST', '/admin/api/tool-approvals/x/approve', '"x" is no id: ids are whole numbers.'],
        ['GET', `/admin/api/runs/${job}/bundle`, `There is no job ${job}.`],
      ] as const)
        expect((await ask(world.url, method, at, method === 'POST' ? REFUND : undefined, SERVER_TOKEN)).body).to.include({
          error: 'not found',
          detail,
        });
    });
  });
}
