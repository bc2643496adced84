import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { readObjects } from './object-files.js';

describe('files of objects', () => {
  let folder: string;
  before(() => (folder = fs.mkdtempSync(path.join(os.tmpdir(), 'objects-'))));
  after(() => fs.rmSync(folder, { recursive: true }));

  function written(name: string, text: string): string {
    const file = path.join(folder, name);
    fs.writeFileSync(file, text);
    return file;
  }

  it('are regular files of at most 64 MiB together', () => {
    expect(() => readObjects(['/dev/zero'])).to.throw('neither a file nor a folder');
    const huge = written('huge.yaml', '');
    fs.truncateSync(huge, 64 * 1_048_576 + 1);
    expect(() => readObjects([huge])).to.throw('larger than 64 MiB');
    expect(() => readObjects([folder])).to.throw('larger than 64 MiB');
    fs.rmSync(huge);
  });

  it('are refused in our own words where they are nested too deeply or hold several documents', () => {
    const deep = written('deep.yaml', `clients: ${'['.repeat(20_000)}${']'.repeat(20_000)}`);
    expect(() => readObjects([deep])).to.throw('nested too deeply');
    const several = written('several.yaml', 'clients: []\n---\nroutes: []\n');
    expect(() => readObjects([several]))
      .to.throw('several documents')
      .and.not.match(/YAML\.|stack/);
  });
});
