import fs from 'node:fs';
import path from 'node:path';
import { startOrdersService } from '@bailing/example-orders-service';
import { documentOf, operation, startChangingBusiness } from '../../support/changing-business.js';
import { startHub } from '../../support/hub.js';
import { SECRET, SERVER_TOKEN } from '../../support/world.js';
import { emptyCheckout, type Stage } from '../stage.js';

/** A checkout with files; `bailing.yaml` says where hub and database are, and whatever more it is given. */
function fresh(files: Readonly<Record<string, string>>): Stage {
  const stage = emptyCheckout({ BAILING_TOKEN: SERVER_TOKEN, ORDERS_SECRET: SECRET, ANN_PASSWORD: 'a password of eighteen' });
  const hub = `hub: { token: ${SERVER_TOKEN}, port: 0, database: 'sqlite:${path.join(stage.folder, 'hub.db')}' }\n`;
  for (const [name, text] of Object.entries({ ...files, 'bailing.yaml': `${hub}${files['bailing.yaml'] ?? ''}` })) {
    fs.mkdirSync(path.dirname(path.join(stage.folder, name)), { recursive: true });
    fs.writeFileSync(path.join(stage.folder, name), text);
  }
  return stage;
}

/** A hub's process settings and a document, no hub that runs. */
export function configurationAsCode(): Stage {
  const document = documentOf(operation('order_list', { scope: 'order.list' }));
  const stage = fresh({ 'objects/orders.openapi.json': JSON.stringify(document) });
  return { ...stage, env: { ...stage.env, CRM_TOKEN: 'a-token-of-sixteen-characters' } };
}

/** A hub that runs and was told nothing but its token, and the example business. */
export async function configureOverHttp(): Promise<Stage> {
  const service = await startOrdersService({ secret: SECRET });
  const stage = fresh({});
  const { url, hub } = await startHub({ configFile: path.join(stage.folder, 'bailing.yaml') });
  return {
    ...stage,
    words: [
      ['http://127.0.0.1:18900', url],
      ['http://127.0.0.1:18901', service.url],
    ],
    close: async () => {
      await hub.stop();
      await service.close();
      await stage.close();
    },
  };
}

/** A hub whose business lowered a risk since it was read, a public document, and one without declarations. */
export async function documents(): Promise<Stage> {
  const risky = (level: string) => documentOf(operation('refund_create', { scope: 'refund.create', risk: { level } }));
  const business = await startChangingBusiness(risky('high'));
  const open = await startChangingBusiness(risky('medium'));
  open.open = true;
  const config = `tool_providers:
  - { name: orders, base_url: '${business.url}', spec_source: url, spec_url: '${business.url}/tools.json', secret: ${SECRET}, on_looser: freeze }
routes:
  - { route_key: orders, tools: { sources: [{ provider: orders, allow: ['refund.*'], subject_field: operator_uid }] } }
`;
  const get = { operationId: 'order_get', summary: 'One order.', responses: { 200: { description: 'It.' } } };
  const parameters = [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }];
  const theirs = { openapi: '3.1.0', info: { title: 'Theirs', version: '1' }, paths: { '/orders/{id}': { parameters, get } } };
  const stage = fresh({ 'bailing.yaml': config, 'theirs.yaml': JSON.stringify(theirs) });
  const { url, hub } = await startHub({ configFile: path.join(stage.folder, 'bailing.yaml') });
  business.document = risky('medium');
  return {
    ...stage,
    env: { ...stage.env, BAILING_URL: url },
    words: [['https://orders.example/tools.json', `${open.url}/tools.json`]],
    close: async () => {
      await hub.stop();
      await Promise.all([business.close(), open.close(), stage.close()]);
    },
  };
}
