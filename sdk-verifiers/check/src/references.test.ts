import { expect } from 'chai';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { missing, runnerOf, SDKS } from './runners.js';
import type { VectorFile } from './vectors.js';

const EXAMPLES = path.resolve(SDKS, '..', 'docs', 'examples');
const REFERENCES = [
  ['node', 'bailing-tool-verify.mjs'],
  ['python', 'bailing-tool-verify.py'],
  ['php', 'bailing-tool-verify.php'],
] as const;

/** A folder of vectors in which one expected answer was changed. */
function bentVectors(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'bailing-bent-'));
  cpSync(path.join(SDKS, 'vectors'), folder, { recursive: true });
  const name = path.join(folder, 'tool-call.json');
  const file = JSON.parse(readFileSync(name, 'utf8')) as VectorFile;
  const cases = file.cases.map((item) =>
    item.id === 'tool-call/swap-subject' ? { ...item, expected: { result: 'ok', valid: true, reason: 'ok' } } : item,
  );
  writeFileSync(name, JSON.stringify({ ...file, cases }));
  return folder;
}

describe('the single-file references', function () {
  this.timeout(30_000);

  for (const [party, name] of REFERENCES) {
    it(`${name} checks itself against the vectors, and sees a wrong one`, () => {
      const why = missing(party);
      if (why !== null) {
        if (process.env['CI']) throw new Error(`${party}: ${why}, and CI refuses that`);
        process.stderr.write(`${party}: ${why}\n`);
        return;
      }
      const { command } = runnerOf(party);
      const right = spawnSync(command, [path.join(EXAMPLES, name)], { encoding: 'utf8' });
      expect([right.status, right.stderr]).to.deep.equal([0, ''], right.stdout);
      expect(right.stdout).to.match(/[1-9]\d* vectors/);
      const folder = bentVectors();
      try {
        const wrong = spawnSync(command, [path.join(EXAMPLES, name), folder], { encoding: 'utf8' });
        expect(wrong.status).to.equal(1);
        expect(wrong.stdout + wrong.stderr).to.include('swap-subject');
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    });
  }
});
