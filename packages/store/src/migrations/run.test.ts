import { expect } from 'chai';
import { onEveryDatabase } from '../kit/world.js';
import { openStore } from '../open-store.js';
import { migrations } from './index.js';

onEveryDatabase('Migrations', (fixture) => {
  it('run once when several processes open one database at the same moment', async () => {
    const database = await fixture.create();
    const stores = await Promise.all([1, 2, 3].map((n) => openStore({ url: database.url, replica: `r${String(n)}` })));
    const rows = await database.query('SELECT name FROM bz_migrations ORDER BY name');
    expect(rows.map(({ name }) => name)).to.deep.equal(migrations.map(({ name }) => name).sort());
    for (const store of stores) await store.close();
    await database.drop();
  });

  it('go on where a process died between a table and its mark', async () => {
    const database = await fixture.create();
    await (await openStore({ url: database.url, replica: 'r1' })).close();
    await database.query(`DELETE FROM bz_migrations WHERE name >= '0010'`);
    const store = await openStore({ url: database.url, replica: 'r1' });
    expect((await store.health()).migrations).to.deep.include({ status: 'ok', total: migrations.length });
    await store.close();
    await database.drop();
  });

  it('refuse a database that a newer version has migrated, and name what they do not know', async () => {
    const database = await fixture.create();
    await (await openStore({ url: database.url, replica: 'r1' })).close();
    await database.query(`INSERT INTO bz_migrations (name, applied_at) VALUES ('9999-later', 1)`);
    const error = await openStore({ url: database.url, replica: 'r1' }).catch((thrown: unknown) => thrown);
    expect(error).to.have.property('code', 'BAILING_STORE_TOO_NEW');
    expect(String(error)).to.match(/9999-later/);
    await database.drop();
  });
});

describe('Migrations in order', () => {
  it('are one statement each, named once, in the order of their numbers', () => {
    const names = migrations.map(({ name }) => name);
    expect(names).to.deep.equal([...names].sort());
    expect(new Set(names).size).to.equal(names.length);
    for (const { sqlite, mysql } of migrations) for (const ddl of [sqlite, mysql]) expect(ddl ?? '').to.not.match(/;/);
  });
});
