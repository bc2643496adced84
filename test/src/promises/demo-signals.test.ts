import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { root } from '../support/root.js';

const lib = (name: string) => pathToFileURL(path.join(root, 'scripts', 'lib', name)).href;
const LIB = lib('stand-in.mjs');
const PREPARE = lib('prepare.mjs');

/** Says when it listens, cleans up on the first signal, and survives hearing it again. */
const CHILD = `
  const clean = (signal) => { console.log('cleaned up after ' + signal); setTimeout(() => process.exit(7), 50); };
  let first = true;
  for (const s of ['SIGINT', 'SIGTERM']) process.on(s, () => { if (first) clean(s); first = false; });
  setInterval(() => undefined, 1000);
  console.log('up');`;

describe('The process of npm run demo', function () {
  this.timeout(10_000);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    it(`passes ${signal} on, waits until the demo has cleaned up and ends with its status`, async () => {
      const script = `import { standIn } from ${JSON.stringify(LIB)}; standIn(['-e', ${JSON.stringify(CHILD)}], {});`;
      const parent = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
      let out = '';
      parent.stdout.on('data', (chunk: Buffer) => {
        const before = out;
        out += chunk.toString();
        if (!before.includes('up\n') && out.includes('up\n')) parent.kill(signal);
      });
      const [status] = (await once(parent, 'close')) as [number | null];
      expect([status, out]).to.deep.equal([7, `up\ncleaned up after ${signal}\n`]);
    });
  }

  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    it(`ends what it installs with before it ends by ${signal} itself`, async () => {
      const installer = `console.log('pid ' + process.pid); setInterval(() => undefined, 1000);`;
      const script = `import { attended } from ${JSON.stringify(PREPARE)};
        await attended(process.execPath, ['-e', ${JSON.stringify(installer)}], { stdio: 'inherit' });
        console.log('went on');`;
      const parent = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
      let out = '';
      parent.stdout.on('data', (chunk: Buffer) => {
        if (out === '') parent.kill(signal);
        out += chunk.toString();
      });
      const [, ended] = (await once(parent, 'close')) as [number | null, NodeJS.Signals | null];
      expect([ended, out.replace(/\d+/, 'n')]).to.deep.equal([signal, 'pid n\n']);
      expect(() => process.kill(Number(/\d+/.exec(out)?.[0]), 0)).to.throw(/ESRCH/);
    });
  }
});
