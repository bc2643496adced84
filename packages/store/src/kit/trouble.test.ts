import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { BailingError } from '@bailing/plugin-api';
import { expect } from 'chai';
import { SqlFault } from '../dialects/fault.js';
import { openStore } from '../index.js';
import { line, onEveryDatabase, type World, world } from './world.js';

const FULL = { sqlite: 'SQLITE_FULL (13)', mysql: 'ER_RECORD_FILE_FULL (1114)' };

onEveryDatabase('A full database', (fixture) => {
  let w: World;
  let full = false;
  before(async () => {
    const onStatement = (name: string): void => {
      if (full && name.startsWith('insert-')) throw new SqlFault('refused', FULL[fixture.name], name);
    };
    w = await world(fixture, { lanes: 1, onStatement });
  });
  after(() => w.end());

  it('refuses by its name, is not healthy until something is written again, and says why', async () => {
    expect(await w.store.health()).to.include({ database: 'ok' });
    full = true;
    const error: unknown = await w.store.jobs.note([line('x', '-')]).catch((thrown: unknown) => thrown);
    expect((error as BailingError).code).to.equal('BAILING_STORE_FULL');
    expect((error as BailingError).entry.fix).to.contain('Free space');
    expect(await w.store.health()).to.include({ database: 'failed', reason: 'full' });
    full = false;
    w.clock.now += 2_000;
    await w.store.jobs.note([line('x', '-')]);
    const health = await w.store.health();
    expect([health.database, health.reason]).to.deep.equal(['ok', undefined]);
  });

  it('is found writable again by whoever asks, where nobody writes', async () => {
    full = true;
    await w.store.jobs.note([line('x', '-')]).catch(() => undefined);
    expect((await w.store.health()).reason).to.equal('full');
    full = false;
    w.clock.now += 2_000;
    expect((await w.store.health()).reason).to.equal(undefined);
  });
});

describe('The file of a SQLite database', () => {
  it('belongs to its owner alone, and so do the files beside it', async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bailing-mode-'));
    const before = process.umask(0);
    try {
      const store = await openStore({ url: `sqlite:${path.join(folder, 'hub.db')}`, replica: 'r' });
      await store.jobs.note([line('x', '-')]);
      const modes = fs.readdirSync(folder).map((name) => [name, (fs.statSync(path.join(folder, name)).mode & 0o777).toString(8)]);
      expect(modes).to.deep.include(['hub.db', '600']).and.deep.include(['hub.db-wal', '600']);
      expect(modes.filter(([, mode]) => mode !== '600')).to.deep.equal([]);
      await store.close();
    } finally {
      process.umask(before);
      fs.rmSync(folder, { recursive: true });
    }
  });
});
