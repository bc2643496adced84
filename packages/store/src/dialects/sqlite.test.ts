import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { fixtures, line, type World, world } from '../kit/world.js';

/** Opens the file, reads, and closes it again: the last to close a database puts its log away. */
const VISITOR = `const { openLibsql } = await import(process.argv[1]);
const raw = openLibsql(process.argv[2]);
raw.prepare('SELECT COUNT(*) FROM bz_audit').all();
raw.close();`;

describe('A SQLite file', () => {
  let w: World;
  before(async () => {
    w = await world(fixtures.find(({ name }) => name === 'sqlite')!);
  });
  after(() => w.end());

  it('stays locked by the store that has it, also where the same process opens it again and another one comes and goes', async () => {
    await w.store.jobs.note([line('before', '-')]);
    const second = await w.another();
    await second.close();
    const driver = new URL('./libsql.js', import.meta.url).href;
    const args = ['--input-type=module', '-e', VISITOR, driver, w.database.url.slice('sqlite:'.length)];
    const { status, stderr } = spawnSync(process.execPath, args, { cwd: fileURLToPath(new URL('.', import.meta.url)), encoding: 'utf8' });
    expect([status, stderr]).to.deep.equal([0, '']);
    await w.store.jobs.note([line('after', '-')]);
    // What another connection sees is what was written.
    expect(await w.database.query(`SELECT event FROM bz_audit WHERE event <> 'ledger_checkpoint' ORDER BY id`)).to.deep.equal([
      { event: 'before' },
      { event: 'after' },
    ]);
  });
});
