import fs from 'node:fs';
import path from 'node:path';
import { errorCatalogue } from '@bailing/plugin-api';
import { expect } from 'chai';
import { root } from '../support/root.js';

const CATALOGUE = 'packages/plugin-api/src/errors';
const LOADING = fs.readFileSync(path.join(root, 'packages/app/src/load-config.ts'), 'utf8');
/** Environment variables, which look like codes: those that fill a configuration, and what commands, demo and examples read. */
const SETTINGS = new Set([
  ...[...LOADING.matchAll(/^ {2}(BAILING_\w+): '/gm)].map(([, name]) => name ?? ''),
  ...[
    ...['URL', 'LLM_BASE_URL', 'LLM_API_KEY', 'LLM_MODEL', 'EXECUTOR_TOKEN', 'EXECUTOR_ID', 'TARGET', 'DATABASE'],
    ...['BUILD_COMMIT', 'BUILD_BRANCH', 'BUILD_TIME', 'SECRET', 'SECRET_KEY'],
    ...['BOOTSTRAP_ADMIN_USERNAME', 'BOOTSTRAP_ADMIN_PASSWORD'],
  ].map((name) => `BAILING_${name}`),
]);
/** Those of tests and benchmarks. */
const OF_TESTS = /^BAILING_(TEST|BENCH|CRASH)(_|$)/;
const CODE = /\bBAILING_[A-Z]+(?:_[A-Z]+)*\b/g;

interface Text {
  readonly file: string;
  readonly words: ReadonlySet<string>;
}

function texts(folders: readonly string[], ends: RegExp): readonly Text[] {
  return folders.flatMap((folder) =>
    fs
      .readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((name) => path.posix.join(folder, name.replaceAll(path.sep, '/')))
      .filter((file) => ends.test(file) && !/(^|\/)(node_modules|dist)\//.test(file))
      .map((file) => ({ file, words: new Set(fs.readFileSync(path.join(root, file), 'utf8').match(CODE) ?? []) })),
  );
}

const codes = new Set(Object.keys(errorCatalogue));
const rooms = ['kernel', 'packages', 'plugins'];
const sources = texts(rooms, /(?<!\.test|\.d)\.(ts|mjs|cjs)$/).filter(({ file }) => !/\/(test-support|testing)\//.test(file));
const product = sources.filter(({ file }) => !file.startsWith(CATALOGUE));
const pages = [...texts(['docs', ...rooms, 'sdk-verifiers'], /\.(md|yaml)$/), ...texts(['.'], /^[^/]+\.md$/)];

describe('promises: the error catalogue, the code and the docs are one', () => {
  it('every code of the catalogue is used by the code', () => {
    const used = new Set(product.flatMap(({ words }) => [...words]));
    expect([...codes].filter((code) => !used.has(code))).to.deep.equal([]);
  });

  it('every code that source, tests or docs name is in the catalogue', () => {
    const tests = texts([...rooms, 'test/src', 'docs/examples'], /\.(ts|mjs|cjs)$/);
    const unknown = [...sources, ...tests, ...pages].flatMap(({ file, words }) =>
      [...words].filter((word) => !codes.has(word) && !SETTINGS.has(word) && !OF_TESTS.test(word)).map((word) => `${file}: ${word}`),
    );
    expect([...new Set(unknown)], 'codes for the catalogue, or settings for the list in this test').to.deep.equal([]);
  });

  it('no setting of the environment has the name of a code, and each is read somewhere', () => {
    const read = new Set(texts([...rooms, 'test/src', 'docs', 'sdk-verifiers'], /\.(ts|mjs|md)$/).flatMap(({ words }) => [...words]));
    expect([...SETTINGS].filter((name) => codes.has(name) || !read.has(name))).to.deep.equal([]);
    expect([...codes].filter((code) => OF_TESTS.test(code))).to.deep.equal([]);
  });

  it('docs/reference/errors.md is what the catalogue makes, with a row for every code', async () => {
    const { errorsPage } = (await import(path.join(root, 'scripts/lib/errors-page.mjs'))) as { errorsPage: () => string };
    const page = fs.readFileSync(path.join(root, 'docs/reference/errors.md'), 'utf8');
    expect(page, 'run node scripts/error-reference.mjs').to.equal(errorsPage());
    const rows = [...page.matchAll(/^\| `(BAILING_\w+)` \|/gm)].map(([, code]) => code ?? '');
    expect(rows.toSorted()).to.deep.equal([...codes].toSorted());
  });
});
