import { databases } from '@bailing/store/testing';
import { expect } from 'chai';
import { ShopWorld } from '../support/shop-world.js';
import { CLIENT_TOKEN, SECRET, SERVER_TOKEN } from '../support/world.js';

const METRICS_TOKEN = 'metrics-token-of-the-tests-0001';
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';

for (const fixture of await databases()) {
  describe(`Metrics and traces, on ${fixture.name}`, function () {
    this.timeout(30_000);
    let world: ShopWorld;

    before(async () => {
      world = await ShopWorld.open(fixture, { shop: { target: 'my-agent', maxCalls: 50, metricsToken: METRICS_TOKEN } });
    });
    after(() => world.close());

    const scrape = async (token: string | null = METRICS_TOKEN, path = '/metrics') => {
      const response = await fetch(world.url + path, { headers: token === null ? {} : { authorization: `Bearer ${token}` } });
      return { status: response.status, headers: response.headers, text: await response.text() };
    };
    const value = (text: string, name: string): number => {
      const line = text.split('\n').find((one) => one.startsWith(`${name} `));
      return line === undefined ? NaN : Number(line.slice(name.length + 1));
    };

    it('count calls by verdict, and tell what waits and for how long', async () => {
      const work = await world.work();
      await world.invoke(work, 'order_read', { order_no: 'A-1001' });
      await world.invoke(work, 'refund_create', { order_no: 'A-1001', amount: 5 });
      await world.invoke(work, 'refund_create', { order_no: 'A-1001', amount: 5_000 });
      await world.invoke(work, 'refund_create', { order_no: 'bad', amount: 5 });
      await world.invoke(work, 'refund_create', { order_no: 'A-1001', amount: 5 });
      await world.submit();
      const { status, headers, text } = await scrape();
      expect([status, headers.get('content-type')?.split(';').slice(0, 2).join(';')]).to.deep.equal([
        200,
        'application/openmetrics-text; version=1.0.0',
      ]);
      const calls = Object.fromEntries(
        ['dispatched', 'held', 'refused', 'replayed', 'unknown'].map((verdict) => [
          verdict,
          value(text, `bailing_calls_total{verdict="${verdict}"}`),
        ]),
      );
      expect(calls).to.deep.equal({ dispatched: 2, held: 1, refused: 1, replayed: 1, unknown: 0 });
      expect(value(text, 'bailing_call_refusals_total{code="BAILING_ARGS_INVALID"}')).to.equal(1);
      expect(value(text, 'bailing_call_results_total{result="ok"}')).to.equal(2);
      expect(value(text, 'bailing_call_duration_seconds_count{outcome="answered"}')).to.equal(2);
      expect(value(text, 'bailing_approvals_pending')).to.equal(1);
      expect(value(text, 'bailing_approvals_pending_oldest_age_seconds')).to.be.within(0, 30);
      expect([value(text, 'bailing_jobs_queued'), value(text, 'bailing_jobs_leased')]).to.deep.equal([1, 1]);
      expect(value(text, 'bailing_journal_unresolved{state="uncertain"}')).to.equal(0);
      expect(value(text, 'bailing_database_up')).to.equal(1);
      expect(text.trimEnd().endsWith('# EOF')).to.equal(true);
    });

    it('name no job, person, tool, order or secret', async () => {
      const { text } = await scrape();
      for (const word of ['u-ada', 'A-1001', 'refund', 'shop', SECRET, SERVER_TOKEN, CLIENT_TOKEN, METRICS_TOKEN])
        expect(text, word).not.to.contain(word);
    });

    it('open to their own token in the header, and to nothing else', async () => {
      for (const token of [null, SERVER_TOKEN, CLIENT_TOKEN]) {
        const { status, headers } = await scrape(token);
        expect([status, headers.get('www-authenticate')]).to.deep.equal([401, 'Bearer realm="bailinghub-metrics"']);
      }
      expect((await scrape(null, `/metrics?token=${METRICS_TOKEN}`)).status).to.equal(401);
      expect((await fetch(`${world.url}/admin/api/runs`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } })).status).to.equal(401);
    });

    it('a call goes on in the trace of its trigger, under a span of its own; without a trace there is none', async () => {
      const run = async (id: string, headers: Record<string, string>): Promise<Map<string, string>> => {
        const request = { request_id: id, route: 'orders', input: 'work', metadata: { operator_uid: 'u-ada' } };
        const all = { authorization: `Bearer ${CLIENT_TOKEN}`, 'content-type': 'application/json', ...headers };
        await fetch(`${world.url}/run`, { method: 'POST', headers: all, body: JSON.stringify(request) });
        await world.invoke(await world.claim(), 'order_read', { order_no: 'A-7001' });
        const flat = world.business.arrivals.at(-1)?.headers ?? [];
        return new Map(flat.flatMap((name, i) => (i % 2 === 0 ? [[name.toLowerCase(), flat[i + 1] ?? '']] : [])));
      };
      await world.claim();
      const parent = `00-${TRACE}-00f067aa0ba902b7-01`;
      const traced = await run('trace:1', { traceparent: parent, tracestate: 'vendor=1' });
      expect(traced.get('traceparent'))
        .to.match(new RegExp(`^00-${TRACE}-[0-9a-f]{16}-01$`))
        .and.not.to.equal(parent);
      expect(traced.get('tracestate')).to.equal('vendor=1');
      expect((await run('trace:2', { traceparent: 'nonsense' })).has('traceparent')).to.equal(false);
      expect((await run('trace:3', {})).has('traceparent')).to.equal(false);
    });
  });
}
