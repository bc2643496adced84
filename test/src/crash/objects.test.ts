import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { openConfigDoor } from '@bailing/hub';
import { readConfig } from '@bailing/resources';
import { failpoints } from '@bailing/store';
import { databases, type DatabaseFixture } from '@bailing/store/testing';
import { expect } from 'chai';
import { ask } from '../support/http.js';
import { startHubProcess, type HubProcess } from '../support/hub-process.js';
import { PAGER_TOKEN, startPager } from '../support/pager.js';
import { CLIENT_TOKEN, SERVER_TOKEN } from '../support/world.js';

const UNIT = 'write-objects';
/** Statements of the ledger; a chain begins once in a process, and the rest is one transaction with what is killed here. */
const LEDGER = /:after-(insert-writer|unnamed-heads|note-named)$/;
const PLACES = failpoints.filter((place) => place.startsWith(`${UNIT}:`) && !LEDGER.test(place));

const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const cause = { by: { kind: 'admin', name: 'ann' }, method: 'POST', path: 'test' } as const;
const KEY = 'key-of-secrets-for-the-crash-tests-01';

/** Two states that share no object unchanged: one is changed, one goes, one comes, and what refers to them follows. */
function stateOf(which: 'old' | 'new', url: string): Readonly<Record<string, readonly object[]>> {
  const channel = (name: string) => ({ name, kind: 'pages', timeout_ms: 1_000, config: { url, token: PAGER_TOKEN } });
  const names = which === 'old' ? ['on-call', 'going'] : ['on-call', 'coming'];
  const allowed = { allowed_routes: ['*'], allowed_channels: names, rate_limit_per_min: 0 };
  return { channels: names.map(channel), clients: [{ app_id: 'crm', token: CLIENT_TOKEN, ...allowed }] };
}

/** The hub dies at a place while the old configuration becomes the new one; another process starts on what it left. */
async function play(at: string, nth: number, fixture: DatabaseFixture) {
  const [database, before, after] = [await fixture.create(), await startPager(), await startPager()];
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bailing-objects-'));
  const configFile = path.join(folder, 'config.json');
  fs.writeFileSync(path.join(folder, 'secret.key'), `${KEY}\n`);
  const hubOf = {
    port: 0,
    token: SERVER_TOKEN,
    database: database.url,
    log_level: 'warn',
    secret_key_file: path.join(folder, 'secret.key'),
  };
  const read = readConfig(JSON.stringify({ hub: hubOf }), { env: {}, readFile: () => '' });
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  fs.writeFileSync(configFile, JSON.stringify(read.config));
  const first = at.endsWith('insert-object-revision');
  let hub: HubProcess | null = null;
  const call = (method: string, where: string, body?: unknown, token = SERVER_TOKEN) => ask(hub?.url ?? '', method, where, body, token);
  const apply = () => call('POST', '/admin/api/config/apply', { objects: stateOf('new', after.url), prune: true });
  const names = async () => ((await call('GET', '/admin/api/channels')).body as unknown as { name: string }[]).map(({ name }) => name);
  try {
    if (!first) {
      const door = await openConfigDoor({ config: read.config, cwd: folder, env: {}, log: silent });
      await door.objects.apply({ objects: stateOf('old', before.url), prune: false, dry_run: false }, cause);
      await door.close();
    }
    hub = await startHubProcess({ configFile, lean: true, failpoint: at, nth });
    if (!hub) throw new Error('the hub died before it was asked');
    // The process dies while it answers.
    await apply().catch(() => undefined);
    const signal = await Promise.race([hub.ended, new Promise<'alive'>((resolve) => setTimeout(() => resolve('alive'), 15_000))]);
    if (signal === 'alive') await hub.kill();
    hub = await startHubProcess({ configFile, lean: true });
    const left = await names();
    const sent =
      left.length === 0 ? null : await call('POST', '/send', { request_id: 'p:1', channel: 'on-call', to: 'p1', text: 'Hi' }, CLIENT_TOKEN);
    const pages = [before.got.length, after.got.length];
    const lines = await database.query("SELECT detail FROM bz_audit WHERE event = 'config_change'");
    const again = await apply();
    return { signal, left, sent: sent?.status, pages, lines: lines.length, again: again.status, end: await names() };
  } finally {
    await hub?.kill();
    await Promise.all([before.close(), after.close()]);
    fs.rmSync(folder, { recursive: true, force: true });
    await database.drop();
  }
}

for (const fixture of await databases())
  describe(`crash: kill -9 while configuration objects are written, on ${fixture.name}`, function () {
    this.timeout(240_000);
    const cases: (readonly [string, number])[] = [...PLACES.map((place) => [place, 1] as const), [`${UNIT}:after-put-object`, 3]];
    const outcomes = new Map<string, Awaited<ReturnType<typeof play>> | Error>();
    const keyOf = (place: string, nth: number) => `${place}#${String(nth)}`;
    before(async () => {
      const todo = [...cases];
      const work = async (): Promise<void> => {
        for (let next = todo.shift(); next; next = todo.shift()) {
          const failed = (error: unknown) => (error instanceof Error ? error : new Error(String(error)));
          outcomes.set(keyOf(...next), await play(...next, fixture).catch(failed));
        }
      };
      await Promise.all([work(), work(), work()]);
    });

    for (const [place, nth] of cases)
      it(`${place}${nth > 1 ? `, the ${String(nth)}rd time` : ''}: the old configuration or the new one, never half`, () => {
        const outcome = outcomes.get(keyOf(place, nth));
        if (!outcome || outcome instanceof Error) throw outcome ?? new Error('not played');
        const [old, next] = [
          { left: ['going', 'on-call'], sent: 200, pages: [1, 0], lines: 3 },
          { left: ['coming', 'on-call'], sent: 200, pages: [0, 1], lines: 7 },
        ];
        const nothing = { left: [], sent: undefined, pages: [0, 0], lines: 0 };
        const kept = place.endsWith(':after-commit') ? next : place.endsWith('insert-object-revision') ? nothing : old;
        expect(outcome).to.deep.equal({ signal: 'SIGKILL', ...kept, again: 200, end: ['coming', 'on-call'] });
      });
  });
