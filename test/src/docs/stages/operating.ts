import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { signCall } from '@bailing/contract';
import { databases } from '@bailing/store/testing';
import { SCRIPTED, submitScript } from '../../support/desk.js';
import { waitForEnd } from '../../support/http.js';
import { SECRET } from '../../support/world.js';
import { besideHub, type HubStage, type Stage } from '../stage.js';
import { freePorts } from './starting.js';

/** One job has ended. */
export async function oneJob(): Promise<HubStage> {
  const stage = await besideHub();
  const job = await submitScript(stage.hub.url, 'e:1', [[{ tool: 'order_read', arguments: { order_no: 'A-1001' } }]]);
  await waitForEnd(stage.hub.url, job);
  return { ...stage, words: [...stage.words, ['11111111-2222-4333-8444-555555555555', job]] };
}

/** A copy of the database of a hub that ran. */
export async function ledgerCopy(): Promise<Stage> {
  const stage = await oneJob();
  await stage.hub.hub.stop();
  // As the page on backups does it: part of what a hub wrote may stand in the write-ahead log beside the file.
  execFileSync('sqlite3', [path.join(stage.folder, 'hub.db'), `.backup '${path.join(stage.folder, 'copy.db')}'`]);
  return stage;
}

/** What a business received is in two files. */
export async function receivedCall(): Promise<HubStage> {
  const stage = await besideHub();
  const call = { timestamp: String(Math.floor(Date.now() / 1_000)), method: 'POST', target: '/refunds?x=1', body: '{"amount":1}' };
  const from = { onBehalfOf: 'u-ada', jobId: '11111111-2222-4333-8444-555555555555' };
  const headers = {
    'X-Bailing-Timestamp': call.timestamp,
    'X-Bailing-Signature': signCall(SECRET, { ...call, ...from }),
    'X-Bailing-On-Behalf-Of': from.onBehalfOf,
    'X-Bailing-Job-Id': from.jobId,
  };
  const text = Object.entries(headers).map(([name, value]) => `${name}: ${value}\n`);
  fs.writeFileSync(path.join(stage.folder, 'received.txt'), text.join(''));
  fs.writeFileSync(path.join(stage.folder, 'body.json'), call.body);
  return stage;
}

/** Everything the page stops is configured. */
export function stoppable(): Promise<HubStage> {
  return besideHub({
    route: `${SCRIPTED.route}
  - { route_key: refunds, tools: { sources: [{ provider: orders, allow: [refund.*], subject_field: operator_uid }] } }`,
    more: "channels:\n  - { name: mail, kind: webhook, config: { url: 'https://notify.example.com/in', secret: a-secret-of-sixteen } }",
  });
}

/** A hub on SQLite that runs, and two empty databases on the server of the MariaDB tests, which the clients on the path use too. */
export async function backups(): Promise<Stage> {
  const mysql = (await databases()).find(({ name }) => name === 'mysql');
  if (!mysql) throw new Error('there is no MariaDB');
  const stage = await besideHub();
  const [main, restored] = await Promise.all([mysql.create(), mysql.create()]);
  const [one = '', two = ''] = await freePorts(2);
  const server = new URL(main.url);
  const client = ['[client]', `host=${server.hostname}`, `port=${server.port || '3306'}`, `user=${server.username}`, 'protocol=tcp'];
  fs.writeFileSync(path.join(stage.folder, '.my.cnf'), `${[...client, `password=${decodeURIComponent(server.password)}`].join('\n')}\n`);
  const name = (url: string) => new URL(url).pathname.slice(1);
  // The page starts hubs of its own; what asks over HTTP names one of them.
  const env = Object.fromEntries(Object.entries(stage.env).filter(([key]) => key !== 'BAILING_URL'));
  return {
    folder: stage.folder,
    env,
    words: [
      ['.bailing/hub.db', 'hub.db'],
      ['mysql://user:password@host:3306/bailing', main.url],
      ['mysql://user:password@host:3306/restored', restored.url],
      ['--skip-lock-tables bailing', `--skip-lock-tables ${name(main.url)}`],
      ['mariadb restored', `mariadb ${name(restored.url)}`],
      ['http://127.0.0.1:18901', stage.world.service.url],
      ['ORDERS_SECRET=$(openssl rand -hex 24)', `ORDERS_SECRET=${SECRET}`],
      ['18900', one],
      ['18902', two],
    ],
    close: async () => {
      await stage.close();
      await Promise.all([main.drop(), restored.drop()]);
    },
  };
}
