import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Plugin } from 'esbuild';
import { root } from './root.js';

const ENTRY = path.join(root, 'test', 'dist', 'support', 'hub-child.js');
const FOLDER = path.join(root, 'test', 'dist', '.hub');
const BOOT = path.join(root, 'test', 'src', 'support', 'boot-bundle.cjs');
/** Drivers that knex could use and nobody has, and the one with a native part. */
const OUTSIDE = ['libsql', '@libsql/*', 'mariadb/*', 'mysql', 'pg', 'pg-native', 'pg-query-stream', 'oracledb', 'tedious', 'sqlite3'];

/** Modules find their files and packages from where they are, not from where the bundle is. */
const inPlace: Plugin = {
  name: 'in-place',
  setup(build) {
    build.onLoad({ filter: /(packages|kernel|plugins).*dist.*\.js$/ }, ({ path: file }) => {
      const text = fs.readFileSync(file, 'utf8');
      if (file.includes('node_modules') || !text.includes('import.meta.url')) return undefined;
      const here = JSON.stringify(pathToFileURL(file).href);
      // A plain `require` is one that the bundler follows.
      const contents = text.replace('const require = createRequire(import.meta.url);', '').replaceAll('import.meta.url', here);
      return { contents, loader: 'js' };
    });
  },
};

let made: Promise<readonly string[]> | undefined;

/**
 * What to run as a hub of the tests: one file with its compiled code beside it, because a process that is killed at once would spend nearly
 * all of its life on loading some 1,400 modules. Without the bundler the modules themselves.
 */
export function hubProgram(): Promise<readonly string[]> {
  return (made ??= make());
}

async function make(): Promise<readonly string[]> {
  const esbuild = await import('esbuild').catch(() => null);
  if (!esbuild) return [ENTRY];
  const { outputFiles } = await esbuild.build({
    entryPoints: [ENTRY],
    bundle: true,
    write: false,
    platform: 'node',
    format: 'cjs',
    minifyWhitespace: true,
    external: ['better-sqlite3', ...OUTSIDE],
    plugins: [inPlace],
    logLevel: 'error',
  });
  const contents = outputFiles[0]?.contents ?? new Uint8Array();
  const name = createHash('sha256').update(contents).digest('hex').slice(0, 16);
  fs.mkdirSync(FOLDER, { recursive: true });
  for (const file of fs.readdirSync(FOLDER)) if (!file.startsWith(name)) fs.rmSync(path.join(FOLDER, file), { force: true });
  const bundle = path.join(FOLDER, `${name}.cjs`);
  const fresh = `${bundle}.${String(process.pid)}`;
  fs.writeFileSync(fresh, contents);
  fs.renameSync(fresh, bundle);
  return [BOOT, bundle];
}
