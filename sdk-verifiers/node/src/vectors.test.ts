import { expect } from 'chai';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const HOME = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const FOLDER = path.join(HOME, '..', 'vectors');

interface VectorFile {
  readonly group: string;
  readonly cases: readonly { readonly id: string; readonly expected: { readonly result: string } }[];
}

describe('the shared vectors', () => {
  const report = JSON.parse(execFileSync(process.execPath, [path.join(HOME, 'vectors-run.mjs'), FOLDER], { encoding: 'utf8' })) as {
    readonly total: number;
    readonly results: Readonly<Record<string, string>>;
  };
  const names = readdirSync(FOLDER).filter((name) => name.endsWith('.json') && name !== 'schema.json');
  const files = names.map((name) => JSON.parse(readFileSync(path.join(FOLDER, name), 'utf8')) as VectorFile);

  it('are all answered', () => {
    expect(report.total).to.equal(files.reduce((sum, { cases }) => sum + cases.length, 0));
    expect(report.total).to.be.greaterThan(700);
  });

  for (const { group, cases } of files) {
    it(`of ${group} are answered right`, () => {
      for (const { id, expected } of cases) expect(report.results[id], id).to.equal(expected.result);
    });
  }
});
