import { expect } from 'chai';
import { ADMIN_TOKEN, auditRow, JOB_ID, jobRow } from '../test-support/fake-hub.js';
import { serve, type Serving } from '../test-support/serving.js';

describe('operations, over real sockets', () => {
  let at: Serving;
  beforeEach(async () => {
    at = await serve();
  });
  afterEach(() => at.server.stop());

  describe('health and discovery', () => {
    it('needs no credential and honours HEAD', async () => {
      at.hub.paused = true;
      const health = await at.ask('GET', '/health');
      expect([health.status, health.json()['status'], health.json()['paused']]).to.deep.equal([200, 'ok', true]);
      for (const path of ['/health', '/health/ready', '/version', '/openapi.yaml']) {
        const head = await at.ask('HEAD', path);
        expect([head.status, head.text], path).to.deep.equal([200, '']);
      }
      expect((await at.ask('GET', '/version')).json()['contracts']).to.deep.equal({ clientApi: 'bailing.client-api.v1' });
    });

    it('is not ready while the database is not', async () => {
      expect((await at.ask('GET', '/health/ready')).json()['status']).to.equal('ready');
      at.hub.healthy = false;
      const answer = await at.ask('GET', '/health/ready');
      expect([answer.status, answer.json()['status']]).to.deep.equal([503, 'not_ready']);
    });
  });

  describe('the administrator', () => {
    it('pauses and resumes', async () => {
      expect((await at.ask('POST', '/admin/pause', { token: ADMIN_TOKEN })).json()).to.deep.equal({ paused: true });
      expect(at.hub.paused).to.equal(true);
      expect((await at.ask('POST', '/admin/resume', { token: ADMIN_TOKEN })).json()).to.deep.equal({ paused: false });
      expect(at.hub.paused).to.equal(false);
    });

    it('reads runs, one run, its audit and its trace', async () => {
      at.hub.jobs.set(JOB_ID, jobRow({ status: 'done' }));
      at.hub.ledger = [
        auditRow(1),
        auditRow(2, { event: 'tool_call', stage: 'tool' }),
        auditRow(3, { event: 'tool_result', stage: 'tool', severity: 'error' }),
      ];
      const list = await at.ask('GET', '/admin/api/runs?limit=1', { token: ADMIN_TOKEN });
      expect((list.json() as unknown as { job_id: string }[])[0]?.job_id).to.equal(JOB_ID);
      expect((await at.ask('GET', `/admin/api/runs/${JOB_ID}`, { token: ADMIN_TOKEN })).json()['raw_input']).to.equal('Review refund 42.');
      const audit = await at.ask('GET', `/admin/api/runs/${JOB_ID}/audit?after_seq=1`, { token: ADMIN_TOKEN });
      expect((audit.json() as unknown as { event: string }[]).map((row) => row.event)).to.deep.equal(['tool_call', 'tool_result']);
      const trace = (await at.ask('GET', `/admin/api/runs/${JOB_ID}/trace`, { token: ADMIN_TOKEN })).json()['trace'] as Record<
        string,
        unknown
      >;
      expect(trace['summary']).to.include({ event_count: 3, tool_calls: 1, tool_results: 1, error_count: 1, status: 'done' });
      expect((trace['summary'] as { stage_count: object }).stage_count).to.include({ launch: 1, tool: 2, delivery: 0 });
    });

    it('reads a trace of more rows than one page', async () => {
      at.hub.jobs.set(JOB_ID, jobRow());
      at.hub.ledger = Array.from({ length: 1_203 }, (_, index) => auditRow(index + 1));
      const trace = (await at.ask('GET', `/admin/api/runs/${JOB_ID}/trace`, { token: ADMIN_TOKEN })).json()['trace'] as {
        events: unknown[];
      };
      expect(trace.events).to.have.length(1_203);
    });

    it('looks traces up by filters: one match comes whole, no filter finds nothing', async () => {
      at.hub.jobs.set(JOB_ID, jobRow());
      const one = await at.ask('GET', '/admin/api/runs/trace?request_id=crm:1', { token: ADMIN_TOKEN });
      expect(one.json()).to.include.keys('job', 'trace', 'approvals', 'messages', 'lookup', 'matches');
      const list = await at.ask('GET', '/admin/api/runs/trace?request_id=crm:1&list=1', { token: ADMIN_TOKEN });
      expect(list.json()).to.have.all.keys('matches', 'count');
      expect((await at.ask('GET', '/admin/api/runs/trace', { token: ADMIN_TOKEN })).json()).to.deep.equal({ matches: [], count: 0 });
      expect((await at.ask('GET', '/admin/api/runs/trace?client_id=a&client_app_id=b', { token: ADMIN_TOKEN })).status).to.equal(400);
      await at.ask('GET', '/admin/api/runs/trace?client_id=crm&thread_id=7', { token: ADMIN_TOKEN });
      expect(at.hub.filters.at(-1)).to.deep.equal({ clientAppId: 'crm', threadId: 7 });
    });

    it('refuses numbers outside their bounds by name', async () => {
      for (const query of ['limit=0', 'limit=201', 'limit=x', 'offset=-1', 'limit=1e2']) {
        const refused = await at.ask('GET', `/admin/api/runs?${query}`, { token: ADMIN_TOKEN });
        expect([refused.status, refused.json()['at']], query).to.deep.equal([400, query.split('=')[0]]);
      }
    });
  });
});
