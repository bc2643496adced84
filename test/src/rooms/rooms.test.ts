import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { root } from '../support/root.js';

function check(cwd: string): { status: number | null; report: string } {
  const bin = path.join(root, 'node_modules', 'dependency-cruiser', 'bin', 'dependency-cruise.mjs');
  const where = ['kernel/src', 'packages', 'plugins', 'sdk-verifiers/node/src', 'sdk-verifiers/check/src'].filter((dir) =>
    fs.existsSync(path.join(cwd, dir)),
  );
  const done = spawnSync(process.execPath, [bin, '--config', path.join(root, '.dependency-cruiser.cjs'), ...where, '-T', 'err-long'], {
    cwd,
    encoding: 'utf8',
  });
  return { status: done.status, report: done.stdout + done.stderr };
}

/** A tree laid out like the house, with these files planted in it. */
function planted(files: readonly (readonly [file: string, text: string])[]): { status: number | null; report: string } {
  const tree = fs.mkdtempSync(path.join(os.tmpdir(), 'bailing-rooms-'));
  try {
    for (const room of ['contract', 'plugin-api', 'engine', 'store', 'http'])
      write(tree, `packages/${room}/src/index.ts`, 'export const here = 1;\n');
    write(tree, 'packages/engine/src/calls/index.ts', 'export const call = 1;\n');
    write(tree, 'packages/engine/src/calls/invoke.ts', 'export const invoke = 1;\n');
    write(tree, 'packages/engine/src/jobs/advance.ts', 'export const advance = 1;\n');
    for (const [file, text] of files) write(tree, file, text);
    fs.copyFileSync(path.join(root, 'tsconfig.rooms.json'), path.join(tree, 'tsconfig.rooms.json'));
    fs.copyFileSync(path.join(root, 'tsconfig.base.json'), path.join(tree, 'tsconfig.base.json'));
    fs.symlinkSync(path.join(root, 'node_modules'), path.join(tree, 'node_modules'));
    return check(tree);
  } finally {
    fs.rmSync(tree, { recursive: true, force: true });
  }
}

function write(tree: string, file: string, text: string): void {
  fs.mkdirSync(path.dirname(path.join(tree, file)), { recursive: true });
  fs.writeFileSync(path.join(tree, file), text);
}

describe('rooms: who may import whom', function () {
  this.timeout(60_000);

  it('the house keeps its rule', () => {
    const { status, report } = check(root);
    expect(status, report).to.equal(0);
    expect(report).to.match(/no dependency violations found \([1-9]\d{2,} modules/);
  });

  const breaches: readonly (readonly [string, string, string, string])[] = [
    [
      'contract imports engine',
      'packages/contract/src/x.ts',
      "import { here } from '@bailing/engine';\nexport { here };\n",
      'room-contract',
    ],
    ['http imports store', 'packages/http/src/store-user.ts', "import { here } from '@bailing/store';\nexport { here };\n", 'room-http'],
    [
      'a plugin imports engine',
      'plugins/gate-y/src/index.ts',
      "import { here } from '@bailing/engine';\nexport { here };\n",
      'room-plugins',
    ],
    ['a plugin opens a socket', 'plugins/gate-x/src/index.ts', "import net from 'node:net';\nexport { net };\n", 'no-sockets-in-plugins'],
    [
      'a room is entered by a side door',
      'packages/http/src/x.ts',
      "import { call } from '../../engine/src/calls/index.js';\nexport { call };\n",
      'rooms-have-one-door',
    ],
    [
      'the exit asks for jobs',
      'packages/engine/src/calls/x.ts',
      "import { advance } from '../jobs/advance.js';\nexport { advance };\n",
      'calls-stand-alone',
    ],
    [
      'something else sends',
      'packages/engine/src/catalog/x.ts',
      "import { invoke } from '../calls/invoke.js';\nexport { invoke };\n",
      'only-invoke-sends',
    ],
    ['koa outside http', 'packages/engine/src/x.ts', "import Koa from 'koa';\nexport { Koa };\n", 'door-koa'],
  ];
  it('a tree without a breach is green', () => {
    const { status, report } = planted([]);
    expect(status, report).to.equal(0);
  });

  describe('turns red when', () => {
    let found: { status: number | null; report: string };
    // All of them in one tree: a check takes seconds, and each breach is told with its rule and its file.
    before(() => {
      found = planted(breaches.map(([, file, text]) => [file, text]));
      expect(found.status).to.not.equal(0);
    });
    for (const [title, file, , rule] of breaches) {
      it(title, () => {
        const told = found.report.split('\n').filter((line) => line.includes(rule) && line.includes(file));
        expect(told, found.report).to.have.length.of.at.least(1);
      });
    }
  });

  it('package.json and project references say the same as the imports may', () => {
    const dirs = [
      'kernel',
      ...['packages', 'plugins'].flatMap((parent) => fs.readdirSync(path.join(root, parent)).map((name) => `${parent}/${name}`)),
    ];
    for (const dir of dirs) {
      const manifest = readJson(path.join(root, dir, 'package.json')) as {
        dependencies?: Record<string, string>;
        devDependencies?: Record<string, string>;
      };
      const { references } = readJson(path.join(root, dir, 'tsconfig.json')) as { references: { path: string }[] };
      const named = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies }).filter((name) => name.startsWith('@bailing/'));
      const referenced = references.map(({ path: to }) => (readJson(path.join(root, dir, to, 'package.json')) as { name: string }).name);
      expect(referenced.sort(), dir).to.deep.equal(named.sort());
    }
  });
});

function readJson(file: string): unknown {
  return JSON.parse(fs.readFileSync(file, 'utf8'));
}
