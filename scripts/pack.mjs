// Packs every package that is published and checks what is inside: built code, types, no tests; and that the packed app starts.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fail, root, say } from './lib/prepare.mjs';

/** The step of the Dockerfile that packs and installs, word for word but for its folders; then the command it installed is asked something. */
function installAsTheImageDoes() {
  const step = /^RUN (mkdir \/packs[\s\S]*?[^\\])$/m.exec(fs.readFileSync(path.join(root, 'Dockerfile'), 'utf8'))?.[1];
  if (!step) fail('the Dockerfile has no step that begins with "RUN mkdir /packs"');
  const script = step.replaceAll(/\/(packs|app)\b(?!\/node)/g, (_, folder) => path.join(out, 'image', folder));
  fs.mkdirSync(path.join(out, 'image'));
  const done = spawnSync('sh', ['-ec', script], { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  if (done.status !== 0) fail(`the install of the Dockerfile failed:\n${done.stdout}${done.stderr}`);
  const bailing = path.join(out, 'image', 'app', 'node_modules', '.bin', 'bailing');
  const asked = spawnSync(bailing, ['selftest'], { cwd: out, encoding: 'utf8' });
  if (asked.status !== 0) fail(`the installed command does not work:\n${asked.stdout}${asked.stderr}`);
  say('installed them as the image does; the command passes its selftest');
}

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
  installAsTheImageDoes();
} finally {
  fs.rmSync(out, { recursive: true, force: true });
}
