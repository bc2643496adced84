import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { openStore } from '../open-store.js';
import { parseStoreUrl } from './url.js';

describe('A store URL', () => {
  it('names a file, memory or a server', () => {
    expect(parseStoreUrl('sqlite:./.bailing/hub.db')).to.deep.equal({ is: 'sqlite', file: './.bailing/hub.db' });
    expect(parseStoreUrl('sqlite:///var/lib/hub.db')).to.deep.equal({ is: 'sqlite', file: '/var/lib/hub.db' });
    expect(parseStoreUrl('sqlite::memory:')).to.deep.equal({ is: 'sqlite', file: ':memory:' });
    expect(parseStoreUrl('mariadb://u:p@h:1/d')).to.deep.equal({ is: 'mysql', uri: 'mysql://u:p@h:1/d' });
  });

  for (const url of ['', 'hub.db', 'sqlite:', 'postgres://h/d', 'mysql://h', 'mysql://h/', 'mysql://:::/d']) {
    it(`is refused without being repeated: ${JSON.stringify(url)}`, () => {
      expect(() => parseStoreUrl(url))
        .to.throw()
        .with.property('code', 'BAILING_CONFIG_INVALID');
    });
  }

  it('makes the folder of a new file', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'bailing-url-'));
    const file = join(folder, 'a', 'b', 'hub.db');
    const store = await openStore({ url: `sqlite:${file}`, replica: 'r1' });
    await store.close();
    expect((await stat(file)).isFile()).to.equal(true);
    await rm(folder, { recursive: true });
  });

  it('works in memory, where reads and writes share one connection', async () => {
    const store = await openStore({ url: 'sqlite::memory:', replica: 'r1', now: () => 5 });
    await store.records('p').put('k', 'v');
    expect((await store.records('p').get('k'))?.value).to.equal('v');
    await store.close();
  });

  it('says which file or folder cannot be made', async () => {
    const error = await openStore({ url: 'sqlite:/dev/null/x/hub.db', replica: 'r1' }).catch((thrown: unknown) => thrown);
    expect(String(error)).to.include('ENOTDIR at /dev/null/x.');
  });

  it('says that a server or a path cannot be reached, without its password', async () => {
    for (const url of ['mysql://root:hunter2@127.0.0.1:1/x', 'sqlite:/dev/null/x/hub.db']) {
      const error = await openStore({ url, replica: 'r1' }).catch((thrown: unknown) => thrown);
      expect(error).to.have.property('code', 'BAILING_STORE_UNREACHABLE');
      expect(JSON.stringify(error) + String(error) + String((error as Error).stack)).to.not.match(/hunter2/);
    }
  });
});
