import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import * as api from './index.js';

const room = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const script = path.join(room, '..', '..', 'scripts', 'api-report.mjs');

describe('the API report of plugin-api', () => {
  it('is the one of the sources; if this fails, run "node scripts/api-report.mjs" and read the diff', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [script, '--check']).catch((error: { stdout: string }) => error);
    expect(stdout).to.equal('The API report is current.\n');
  });

  it('shows every value that is exported', async () => {
    const report = await readFile(path.join(room, 'api-report.md'), 'utf8');
    for (const name of Object.keys(api)) expect(report).to.match(new RegExp(`export declare (?:const|function|class) ${name}\\b`));
  });
});
