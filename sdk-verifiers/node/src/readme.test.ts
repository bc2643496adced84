import { expect } from 'chai';
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const HOME = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const readme = readFileSync(path.join(HOME, 'README.md'), 'utf8');

/** A fenced block of the README: the one whose first line is a comment with the file's name, or the only one of its language. */
function block(language: string, name?: string): string {
  const blocks = [...readme.matchAll(/```(\w+)\n([^]*?)```/g)].filter(
    ([, is, text]) => is === language && (!name || text?.startsWith(`// ${name}\n`)),
  );
  expect(blocks, `${language} ${name ?? ''}`).to.have.length(1);
  return blocks[0]?.[2] ?? '';
}

/** The package as `npm pack` makes it, unpacked where `import '@bailing/verifier'` finds it. */
function installTarball(root: string): void {
  const listed = execFileSync('npm', ['pack', '--json', '--pack-destination', root], {
    cwd: HOME,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const made = JSON.parse(listed) as Record<string, { filename: string }> | { filename: string }[];
  const [{ filename } = { filename: '' }] = Object.values(made);
  execFileSync('tar', ['-xzf', path.join(root, filename), '-C', root]);
  mkdirSync(path.join(root, 'node_modules', '@bailing'), { recursive: true });
  cpSync(path.join(root, 'package'), path.join(root, 'node_modules', '@bailing', 'verifier'), { recursive: true });
}

function listening(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    child.stdout?.on('data', (chunk: Buffer) => {
      const port = /listening on port (\d+)/.exec(chunk.toString())?.[1];
      if (port) resolve(port);
    });
    child.on('error', reject).on('exit', (code) => reject(new Error(`the shop ended with ${String(code)}`)));
  });
}

describe('the README, with the package installed from its tarball', function () {
  this.timeout(30_000);
  let root = '';
  before(() => {
    root = mkdtempSync(path.join(tmpdir(), 'bailing-readme-'));
    installTarball(root);
    for (const name of ['shop.mjs', 'try.mjs', 'sql.mjs']) writeFileSync(path.join(root, name), block('js', name));
  });
  after(() => rmSync(root, { recursive: true, force: true }));

  it('gets a reader to a verified and authorised call, as printed', async () => {
    const shop = spawn(process.execPath, ['shop.mjs'], {
      cwd: root,
      env: { ...process.env, PORT: '0' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      const port = await listening(shop);
      const said = execFileSync(process.execPath, ['try.mjs', `http://127.0.0.1:${port}`], { cwd: root, encoding: 'utf8' });
      expect(said).to.equal(block('text'));
    } finally {
      shop.kill();
    }
  });

  it('shows a SQL store that works', () => {
    const entry = createRequire(import.meta.url).resolve('libsql');
    const libsql = entry.slice(0, entry.lastIndexOf('libsql') + 'libsql'.length);
    symlinkSync(libsql, path.join(root, 'node_modules', 'libsql'));
    expect(execFileSync(process.execPath, ['sql.mjs'], { cwd: root, encoding: 'utf8' })).to.equal('first repeated\n');
  });

  it('ships types, the licence and no tests', () => {
    const files = execFileSync('find', ['node_modules/@bailing/verifier', '-type', 'f'], { cwd: root, encoding: 'utf8' }).split('\n');
    expect(files).to.include('node_modules/@bailing/verifier/dist/index.d.ts').and.to.include('node_modules/@bailing/verifier/LICENSE');
    expect(files.filter((name) => name.includes('.test.'))).to.deep.equal([]);
  });
});
