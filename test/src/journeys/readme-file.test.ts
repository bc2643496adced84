import { execFile } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { root } from '../support/root.js';

const TOKENS = { BAILING_TOKEN: 'a'.repeat(48), BACK_OFFICE_TOKEN: 'b'.repeat(32), ORDERS_SECRET: 'c'.repeat(48) };

/** The `bailing.yaml` of the README's first door. */
function fileOfReadme(): string {
  const [, door = ''] = fs.readFileSync(path.join(root, 'README.md'), 'utf8').split('## Door 1');
  return /```yaml\n([\s\S]*?)```/.exec(door)?.[1] ?? '';
}

describe('journey: the configuration file of the README', function () {
  this.timeout(20_000);
  let folder: string;
  before(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bailing-readme-'));
    fs.writeFileSync(path.join(folder, 'bailing.yaml'), fileOfReadme());
  });
  after(() => fs.rmSync(folder, { recursive: true, force: true }));

  const command = (name: string) =>
    new Promise<string>((resolve, reject) => {
      const bin = path.join(root, 'packages', 'app', 'dist', 'bin.js');
      const options = { cwd: folder, env: { PATH: process.env['PATH'], NO_COLOR: '1', ...TOKENS } };
      execFile(process.execPath, [bin, name], options, (error, out, said) => (error ? reject(new Error(said)) : resolve(out)));
    });

  it('is what `check` finds valid and `plugins` draws', async () => {
    const [checked, drawn] = await Promise.all([command('check'), command('plugins')]);
    expect(checked).to.include('is valid: 1 clients, 0 credentials, 1 tool providers, 1 routes');
    expect(drawn).to.include('gate-risk').and.include('source-openapi');
    expect(fs.readdirSync(folder)).to.deep.equal(['bailing.yaml']);
  });
});
