import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Line } from '@bailing/engine/ports';
import { BailingError } from '@bailing/plugin-api';
import { openStore } from '@bailing/store';
import { databases, type FreshDatabase } from '@bailing/store/testing';
import { expect } from 'chai';
import { exportAudit, verifyAudit } from './audit.js';

const LINES = 1_500;

for (const fixture of await databases())
  describe(`The ledger as a file, from ${fixture.name}`, () => {
    let folder: string;
    let database: FreshDatabase;
    let whole: string;
    const at = (name: string) => path.join(folder, name);

    before(async () => {
      folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bailing-audit-'));
      database = await fixture.create();
      const store = await openStore({ url: database.url, replica: 'a', lanes: 1 });
      await store.jobs.note(Array.from({ length: LINES }, (_, i) => line(i)));
      await store.close();
    });
    after(async () => {
      await database.drop();
      fs.rmSync(folder, { recursive: true });
    });

    it('is written as fast as it is taken, without a warning from Node, and verifies', async () => {
      const warnings: string[] = [];
      const note = (warning: Error) => warnings.push(warning.message);
      process.on('warning', note);
      expect(await said(() => exportAudit({ config: '', database: database.url, out: at('whole.jsonl') }))).to.match(
        /^15\d\d lines are in /,
      );
      await new Promise(setImmediate);
      process.off('warning', note);
      expect(warnings).to.deep.equal([]);
      expect(await said(() => verifyAudit({ config: '', file: at('whole.jsonl') }))).to.match(/^The ledger is whole: 15\d\d lines/);
      whole = fs.readFileSync(at('whole.jsonl'), 'utf8');
    });

    it('is refused by its own code where it was cut or garbled, and says what to do about a file', async () => {
      const broken = {
        cut: whole.slice(0, whole.length / 2),
        'without its end': whole.split('\n').slice(0, -2).join('\n'),
        garbled: whole.replace('"type":"line"', '"type":"li'),
        'not an export': '{"type":"other"}\n',
        nothing: '',
        'no object': `${whole.split('\n', 1)[0]!}\nnull\n`,
      };
      for (const [name, text] of Object.entries(broken)) {
        fs.writeFileSync(at('broken.jsonl'), text);
        const { code, entry } = await refused(() => verifyAudit({ config: '', file: at('broken.jsonl') }));
        expect([name, code]).to.deep.equal([name, 'BAILING_EXPORT_BROKEN']);
        expect(entry.fix).to.contain('bailing audit export').and.not.contain('database');
      }
    });

    it('is not written over another file nor into a folder that is not there, by a sentence', async () => {
      const out = (name: string) => refused(() => exportAudit({ config: '', database: database.url, out: at(name) }));
      expect(await out('whole.jsonl')).to.have.property('code', 'BAILING_OUTPUT_REFUSED');
      expect(fs.readFileSync(at('whole.jsonl'), 'utf8')).to.equal(whole);
      expect(await out(path.join('no', 'such.jsonl'))).to.have.property('code', 'BAILING_OUTPUT_REFUSED');
    });

    it('is not made where there is none: a database that never was a hub’s is left as it is', async () => {
      const empty = await fixture.create();
      try {
        await empty.query('CREATE TABLE theirs (a INTEGER)');
        expect(await refused(() => verifyAudit({ config: '', database: empty.url }))).to.have.property('code', 'BAILING_LEDGER_MISSING');
        const there =
          fixture.name === 'sqlite'
            ? `SELECT name FROM sqlite_master WHERE type = 'table'`
            : 'SELECT table_name AS name FROM information_schema.tables WHERE table_schema = DATABASE()';
        expect((await empty.query(there)).map(({ name }) => name)).to.deep.equal(['theirs']);
      } finally {
        await empty.drop();
      }
    });

    it('leaves no half of a file behind where the database holds no ledger, and says so', async () => {
      await database.query('DROP TABLE bz_audit');
      const code = 'BAILING_LEDGER_MISSING';
      expect(await refused(() => verifyAudit({ config: '', database: database.url }))).to.have.property('code', code);
      expect(await refused(() => exportAudit({ config: '', database: database.url, out: at('new.jsonl') }))).to.have.property('code', code);
      expect(fs.existsSync(at('new.jsonl'))).to.equal(false);
    });
  });

function line(i: number): Line {
  const detail = JSON.stringify({ args: 'x'.repeat(2_000) });
  return { event: 'e', at: i, job: '-', requestId: 'r', stage: 'system', severity: 'info', title: 't', summary: String(i), detail };
}

/** What a command prints. */
async function said(command: () => Promise<void>): Promise<string> {
  const write = process.stdout.write.bind(process.stdout);
  let text = '';
  process.stdout.write = (chunk: string | Uint8Array) => ((text += String(chunk)), true);
  try {
    await command();
  } finally {
    process.stdout.write = write;
  }
  return text;
}

async function refused(command: () => Promise<void>): Promise<BailingError> {
  const error = await command().then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof BailingError) return error;
  throw new Error(`no refusal: ${String(error)}`);
}
