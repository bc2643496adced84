import type { ApprovalRequest, Webhooks } from '@bailing/plugin-api';
import { expect } from 'chai';
import { notifyBody } from './notify-body.js';
import { requestBody } from './request-body.js';
import { sentBy, webhookKind } from './webhook-kind.js';

const HASH = '31baf68423d00d8e4a82cc82eceb5cd3b82eae6ba0fd6fa7cd8a9298eb161655';
const REQUEST: ApprovalRequest = {
  approvalId: 123,
  jobId: '11111111-2222-4333-8444-555555555555',
  requestId: 'crm:1',
  route: 'Order desk',
  subject: 't1:u1',
  ...{ provider: 'bn', tool: 'inventory_adjust', scope: 'store.inventory.write', risk: 'high', policy: 'risk_high', reason: 'risk=high' },
  ...{
    method: 'POST',
    path: '/inventory/adjust',
    args: { sku_id: 1 },
    argsHash: HASH,
    summary: 'Adjust 1',
    decisionPath: '/approvals/123/decision',
  },
  intent: {
    approval_id: 123,
    kind: 'tool_approval_intent',
    route_key: 'orders',
    subject_field: 'operator_uid',
    request: { body: '{"sku_id":1}' },
  },
  metadata: { a: 1 },
};

describe('approval-webhook (WIRE §9.2)', () => {
  it('asks with the whole call, what will be sent, and how to answer', () => {
    const body = requestBody(REQUEST) as Record<string, unknown>;
    expect(body).to.include({
      kind: 'tool_approval_request',
      approval_id: 123,
      route: 'Order desk',
      route_key: 'orders',
      subject_field: 'operator_uid',
    });
    expect(body.args).to.deep.equal({ sku_id: 1 });
    expect(body.intent).to.equal(REQUEST.intent);
    const match = { approval_id: 123, job_id: REQUEST.jobId, request_id: 'crm:1', args_hash: HASH };
    expect(body.decision_contract).to.deep.include({
      schema_version: 'bailing.approval-decision.v1',
      decision_values: ['approved', 'denied'],
      match,
    });
    expect(JSON.stringify(body)).to.include('"decision_id":"biz-123-<your-approval-record-id>"');
  });

  it('leaves out what is not there', () => {
    const body = requestBody({ ...REQUEST, subject: '', summary: '', intent: {} });
    expect(body).to.not.have.any.keys('subject', 'summary', 'subject_field', 'confirm_when', 'route_key');
  });

  it('notifies plainly with the arguments as one text', () => {
    expect(notifyBody(REQUEST)).to.include({ kind: 'tool_approval', args: '{"sku_id":1}', approval_id: 123 });
  });

  it('reads a status as the transport says: done, final, or worth another attempt', () => {
    const ends = [200, 204, 400, 404, 410, 429, 500, 503, 302].map((status) => {
      const sent = sentBy(status);
      return sent.is === 'sent' ? 'sent' : sent.final ? 'final' : 'again';
    });
    expect(ends).to.deep.equal(['sent', 'sent', 'final', 'final', 'final', 'again', 'again', 'again', 'again']);
  });

  it('posts the kept bytes as they are, signed by the host for the owner of the job', async () => {
    const posted: object[] = [];
    const webhooks: Webhooks = { post: (message) => Promise.resolve(posted.push(message)).then(() => ({ status: 200 })) };
    const adapter = webhookKind(webhooks, requestBody, 'approval_intent_webhook').open({
      type: 'business_webhook',
      url: 'https://oa.example/a',
    });
    const message = { url: 'https://oa.example/a', body: adapter.compose(REQUEST) ?? '', signAs: 'crm' };
    expect(await adapter.send(message, AbortSignal.timeout(1_000))).to.deep.equal({ is: 'sent', status: 200 });
    expect(posted).to.deep.equal([message]);
  });
});
