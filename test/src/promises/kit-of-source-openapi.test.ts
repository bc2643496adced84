import type { ProviderRow, ToolSourceKind } from '@bailing/plugin-api';
import { conformance } from '@bailing/plugin-kit';
import { sourceOpenapiPlugin } from '@bailing/source-openapi';

const document = `openapi: 3.1.0
paths:
  /orders/{no}:
    get:
      operationId: order_read
      summary: Read one order by its number
      x-agent-capability: { version: 1, enabled: true, scope: order.read }
      parameters: [{ name: no, in: path, required: true, description: Number, schema: { type: string } }]
    delete: {}
    put: { operationId: order_change, x-agent-capability: { enabled: true } }
`;
const row: ProviderRow = {
  name: 'orders',
  kind: 'openapi',
  base_url: 'https://orders.example.com',
  spec_source: 'inline',
  spec_json: document,
  spec_access_policy: 'signed_required',
  secret: 'a-secret-of-the-provider',
  timeout_ms: 10_000,
};

describe('the tool source for OpenAPI', () => {
  conformance.source(() => {
    const [contribution] = sourceOpenapiPlugin.contributions;
    const services = { http: undefined, clock: { now: () => Date.now() } };
    const kind = contribution?.make({ config: {}, services, own: undefined, log: undefined } as never) as ToolSourceKind;
    return { source: kind.open(row), document, secret: row.secret };
  });
});
