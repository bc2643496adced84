import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { loadConfig } from './load-config.js';

describe('The database of a configuration', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bailing-config-'));
  const file = path.join(folder, 'bailing.yaml');
  after(() => fs.rmSync(folder, { recursive: true, force: true }));
  const databaseOf = (hub: string) => {
    fs.writeFileSync(file, `hub: { token: server-token-of-the-tests-0001${hub} }\n`);
    return loadConfig(path.relative(process.cwd(), file), {}).config.hub.database;
  };

  it('lies beside it, wherever the command is started, unless its path is a whole one', () => {
    expect(databaseOf('')).to.equal(`sqlite:${path.join(folder, '.bailing', 'hub.db')}`);
    expect(databaseOf(", database: 'sqlite:./x/hub.db'")).to.equal(`sqlite:${path.join(folder, 'x', 'hub.db')}`);
    expect(databaseOf(", database: 'sqlite:/srv/hub.db'")).to.equal('sqlite:/srv/hub.db');
    expect(databaseOf(", database: 'sqlite:///srv/hub.db'")).to.equal('sqlite:///srv/hub.db');
  });

  it('is taken as it is where it is no file', () => {
    expect(databaseOf(", database: 'sqlite::memory:'")).to.equal('sqlite::memory:');
    expect(databaseOf(", database: 'mysql://a:b@db/hub'")).to.equal('mysql://a:b@db/hub');
  });
});
