import type { JsonSchema } from '@bailing/plugin-api';
import { createSchemaCheck } from '@bailing/schema';
import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { routes } from './routes/index.js';
import { ADMIN_TOKEN, auditRow, CLIENT_TOKEN, EXECUTOR_TOKEN, JOB_ID, jobRow } from './test-support/fake-hub.js';
import { FakeExecutors, TOOL_TOKEN } from './test-support/fake-executors.js';
import { FakeDesk } from './test-support/fake-desk.js';
import { serve, type Answer, type AskOptions, type Serving } from './test-support/serving.js';

interface Operation {
  readonly operationId: string;
  readonly security?: readonly unknown[];
  readonly parameters?: readonly { readonly $ref?: string; readonly name?: string; readonly in?: string }[];
  readonly requestBody?: unknown;
  readonly responses: Readonly<Record<string, { readonly $ref?: string; readonly content?: Readonly<Record<string, { schema: object }>> }>>;
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly responses: Readonly<Record<string, { content: Readonly<Record<string, { schema: object }>> }>>;
    readonly parameters: Readonly<Record<string, { name: string; in: string }>>;
    readonly schemas: Readonly<Record<string, object>>;
  };
}

const document = parse(readFileSync(new URL('../openapi.yaml', import.meta.url), 'utf8')) as Document;
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ key: `${method.toUpperCase()} ${path}`, path, operation })),
);
const keyOf = (route: (typeof routes)[number]): string => `${route.method} ${route.path.replace(/:(\w+)/g, '{$1}')}`;

describe('openapi.yaml', () => {
  it('describes exactly the routes that are served', () => {
    expect(operations.map(({ key }) => key).sort()).to.deep.equal(routes.map(keyOf).sort());
  });

  it('asks for a credential exactly where the service does', () => {
    for (const route of routes) {
      const operation = operations.find(({ key }) => key === keyOf(route))?.operation;
      expect(operation?.security !== undefined && operation.security.length === 0, keyOf(route)).to.equal(route.access === 'public');
    }
  });

  it('names every path parameter and gives every operation an id of its own', () => {
    for (const { key, path, operation } of operations) {
      const named = (operation.parameters ?? []).map((one) =>
        one.$ref ? document.components.parameters[one.$ref.split('/').at(-1) ?? ''] : one,
      );
      const inPath = named.filter((one) => one?.in === 'path').map((one) => one?.name);
      expect(inPath, key).to.deep.equal([...path.matchAll(/\{(\w+)\}/g)].map((found) => found[1]));
    }
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).to.equal(ids.length);
  });

  describe('and the answers that are really given', () => {
    let at: Serving;
    const desk = new FakeDesk();
    before(async () => {
      at = await serve();
      at.hub.executors = new FakeExecutors();
      at.hub.desk = desk;
      at.hub.jobs.set(JOB_ID, jobRow({ status: 'done', result: '{"text":"ok"}', usage: '{"duration_ms":1}' }));
      at.hub.jobs.set(ENDED_ID, jobRow({ id: ENDED_ID, requestId: 'crm:e', status: 'done' }));
      at.hub.jobs.set(CANCEL_ID, jobRow({ id: CANCEL_ID, requestId: 'crm:c' }));
      at.hub.ledger = [auditRow(1), auditRow(2, { event: 'tool_call', stage: 'tool' })];
    });
    after(() => at.server.stop());

    const ENDED_ID = '99999999-3222-4333-8444-555555555555';
    const CANCEL_ID = '88888888-2222-4333-8444-555555555555';
    const SETTLE = { verdict: 'applied', evidence: 'RF-1 is in the ledger of the business' };
    const run = { request_id: 'crm:9', route: 'refunds', input: 'x' };
    const admin = { token: ADMIN_TOKEN };
    const executor = { token: EXECUTOR_TOKEN };
    const cases: readonly (readonly [key: string, status: number, path: string, options: AskOptions])[] = [
      ['POST /run', 202, '/run', { token: CLIENT_TOKEN, body: run }],
      ['POST /run', 400, '/run', { token: CLIENT_TOKEN, bytes: '{' }],
      ['POST /run', 401, '/run', { body: run }],
      ['POST /run', 413, '/run', { token: CLIENT_TOKEN, bytes: Buffer.alloc(1_048_577, 0x20) }],
      ['POST /send', 200, '/send', { token: CLIENT_TOKEN, body: { request_id: 's:1', channel: 'ops', to: 'u1', text: 'x' } }],
      ['POST /send', 400, '/send', { token: CLIENT_TOKEN, body: { request_id: 's:1', channel: 'ops', to: 'u1' } }],
      ['GET /jobs/{id}', 200, `/jobs/${JOB_ID}`, { token: CLIENT_TOKEN }],
      ['GET /jobs/{id}', 404, '/jobs/x', { token: CLIENT_TOKEN }],
      ['POST /jobs/{id}/cancel', 404, '/jobs/x/cancel', { token: CLIENT_TOKEN }],
      ['POST /jobs/{id}/cancel', 409, `/jobs/${ENDED_ID}/cancel`, { token: CLIENT_TOKEN }],
      ['POST /jobs/{id}/cancel', 200, `/jobs/${CANCEL_ID}/cancel`, { token: CLIENT_TOKEN }],
      ['GET /jobs/{id}/events', 400, `/jobs/${JOB_ID}/events?max_wait=1`, { token: CLIENT_TOKEN }],
      ['GET /jobs/{id}/events', 401, `/jobs/${JOB_ID}/events`, {}],
      ['GET /jobs/{id}/events', 404, '/jobs/x/events', { token: CLIENT_TOKEN }],
      ['GET /health', 200, '/health', {}],
      ['GET /health/ready', 200, '/health/ready', {}],
      ['GET /version', 200, '/version', {}],
      [
        'POST /admin/api/routes/auto-preview',
        200,
        '/admin/api/routes/auto-preview',
        { ...admin, body: { text: 'x', principal: { id: 'u' } } },
      ],
      ['POST /admin/api/routes/auto-preview', 400, '/admin/api/routes/auto-preview', { ...admin, body: { input: ' ' } }],
      ['POST /admin/pause', 200, '/admin/pause', admin],
      ['POST /run', 503, '/run', { token: CLIENT_TOKEN, body: run }],
      ['POST /admin/resume', 200, '/admin/resume', admin],
      ['POST /executor/claim', 200, '/executor/claim', { ...executor, body: { targets: ['my-agent'], wait_ms: 0 } }],
      ['POST /executor/claim', 400, '/executor/claim', { ...executor, body: { targets: 1 } }],
      ['POST /executor/heartbeat', 200, '/executor/heartbeat', { ...executor, body: {} }],
      ['POST /executor/result', 200, '/executor/result', { ...executor, body: { job_id: JOB_ID } }],
      ['GET /jobs/{id}/tools/defs', 200, `/jobs/${JOB_ID}/tools/defs?names=a`, { token: TOOL_TOKEN }],
      ['GET /jobs/{id}/tools/defs', 401, `/jobs/${JOB_ID}/tools/defs?names=a`, admin],
      ['POST /jobs/{id}/tools/invoke', 200, `/jobs/${JOB_ID}/tools/invoke`, { token: TOOL_TOKEN, body: { tool: 'a' } }],
      ['POST /jobs/{id}/tools/invoke', 400, `/jobs/${JOB_ID}/tools/invoke`, { token: TOOL_TOKEN, body: {} }],
      ['GET /admin/api/runs', 200, '/admin/api/runs', admin],
      ['GET /admin/api/runs', 400, '/admin/api/runs?limit=0', admin],
      ['GET /admin/api/runs', 403, '/admin/api/runs', { token: CLIENT_TOKEN }],
      ['GET /admin/api/runs/trace', 200, '/admin/api/runs/trace?job_id=x', admin],
      ['GET /admin/api/runs/{job}', 200, `/admin/api/runs/${JOB_ID}`, admin],
      ['GET /admin/api/runs/{job}/audit', 200, `/admin/api/runs/${JOB_ID}/audit`, admin],
      ['GET /admin/api/runs/{job}/trace', 200, `/admin/api/runs/${JOB_ID}/trace`, admin],
      ['GET /admin/api/runs/{job}/trace', 404, '/admin/api/runs/none/trace', admin],
      ['POST /admin/api/runs/{job}/rerun', 200, `/admin/api/runs/${JOB_ID}/rerun`, admin],
      ['POST /approvals/{id}/decision', 200, '/approvals/7/decision', { ...admin, body: { decision: 'approved', approver: 'u2' } }],
      ['POST /approvals/{id}/decision', 400, '/approvals/7/decision', { ...admin, body: { decision: 'approved' } }],
      ['POST /approvals/{id}/decision', 401, '/approvals/7/decision', { body: { decision: 'approved', approver: 'u2' } }],
      ['POST /approvals/{id}/decision', 404, '/approvals/8/decision', { ...admin, body: {} }],
      ['POST /approvals/{id}/decision', 413, '/approvals/7/decision', { ...admin, bytes: Buffer.alloc(65_537, 0x20) }],
      ['GET /admin/api/tool-approvals', 200, '/admin/api/tool-approvals?status=all', admin],
      ['GET /admin/api/tool-approvals', 400, '/admin/api/tool-approvals?status=maybe', admin],
      ['GET /admin/api/tool-approvals', 403, '/admin/api/tool-approvals', { token: CLIENT_TOKEN }],
      ['GET /admin/api/tool-approvals/{id}', 200, '/admin/api/tool-approvals/7', admin],
      ['GET /admin/api/tool-approvals/{id}', 404, '/admin/api/tool-approvals/x', admin],
      ['POST /admin/api/tool-approvals/{id}/approve', 200, '/admin/api/tool-approvals/7/approve', { ...admin, body: {} }],
      ['POST /admin/api/tool-approvals/{id}/deny', 200, '/admin/api/tool-approvals/7/deny', { ...admin, body: { comment: 'no' } }],
      ['GET /admin/api/unresolved', 200, '/admin/api/unresolved', admin],
      ['POST /admin/api/unresolved/{id}/settle', 200, '/admin/api/unresolved/3/settle', { ...admin, body: SETTLE }],
      ['POST /admin/api/unresolved/{id}/settle', 400, '/admin/api/unresolved/3/settle', { ...admin, body: { verdict: 'applied' } }],
      ['POST /admin/api/unresolved/{id}/settle', 409, '/admin/api/unresolved/3/settle', { ...admin, body: { ...SETTLE, attempt: 2 } }],
      ['GET /admin/api/delivery-dlq', 200, '/admin/api/delivery-dlq?all=1', admin],
      ['POST /admin/api/delivery-dlq/{id}/resend', 200, '/admin/api/delivery-dlq/5/resend', admin],
      ['POST /admin/api/delivery-dlq/{id}/resolve', 200, '/admin/api/delivery-dlq/5/resolve', admin],
      ['POST /admin/api/delivery-dlq/{id}/resolve', 404, '/admin/api/delivery-dlq/6/resolve', admin],
    ];
    for (const [key, status, path, options] of cases) {
      it(`${key} with ${status} is as described`, async () => {
        const answer = await at.ask(key.split(' ')[0] ?? '', path, options);
        expect(answer.status).to.equal(status);
        expect(problems(key, answer)).to.deep.equal([]);
      });
    }

    it('decisions that come late, and letters that fail again, are as described', async () => {
      const body = { decision: 'approved', approver: 'u2' };
      const late: readonly [FakeDesk['outcome'], string][] = [
        [{ is: 'conflict', status: 'denied', standing: 'd:0', decisionId: 'd:1' }, 'BAILING_APPROVAL_CONFLICT'],
        [{ is: 'decision-id-used', approval: 3, decisionId: 'd:1' }, 'BAILING_APPROVAL_DECISION_ID_USED'],
        [{ is: 'expired', decisionId: 'd:1' }, 'BAILING_APPROVAL_EXPIRED'],
        [{ is: 'void', decisionId: 'd:1' }, 'BAILING_APPROVAL_VOID'],
      ];
      for (const [outcome, code] of late) {
        desk.outcome = outcome;
        const answer = await at.ask('POST', '/approvals/7/decision', { ...admin, body });
        expect([answer.status, (answer.json() as { code: string }).code]).to.deep.equal([409, code]);
        expect(problems('POST /approvals/{id}/decision', answer)).to.deep.equal([]);
      }
      desk.sent = { ok: false, error: 'the receiver answered 503' };
      const failed = await at.ask('POST', '/admin/api/delivery-dlq/5/resend', admin);
      expect(failed.status).to.equal(502);
      expect(problems('POST /admin/api/delivery-dlq/{id}/resend', failed)).to.deep.equal([]);
    });

    it('would be told apart from answers that are not', async () => {
      const answer = await at.ask('GET', '/health');
      const wrong = { ...answer, json: () => ({ ...answer.json(), paused: 'no' }) };
      expect(problems('GET /health', wrong)).to.have.length(1);
      expect(problems('GET /health', { ...answer, status: 418 })).to.have.length(1);
    });

    it('GET /openapi.yaml is this document', async () => {
      const answer = await at.ask('GET', '/openapi.yaml');
      expect(answer.headers['content-type']).to.equal('application/yaml; charset=utf-8');
      expect(parse(answer.text)).to.deep.equal(document);
    });
  });
});

/** What of an answer its description does not allow. */
function problems(key: string, answer: Answer): readonly unknown[] {
  const described = operations.find((one) => one.key === key)?.operation.responses[String(answer.status)];
  if (!described) return [`${key} does not describe ${answer.status}`];
  const response = described.$ref ? document.components.responses[described.$ref.split('/').at(-1) ?? ''] : described;
  const schema = response?.content?.['application/json']?.schema ?? false;
  const whole = JSON.stringify({ ...schema, $defs: document.components.schemas }).replaceAll('#/components/schemas/', '#/$defs/');
  return createSchemaCheck().compile(JSON.parse(whole) as JsonSchema)(answer.json());
}
