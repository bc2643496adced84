import { expect } from 'chai';
import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { compileDocument } from './compile.js';
import { allDocuments } from './test-support/all-documents.js';

const folder = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));
const sources = (root: string): string[] =>
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && !name.includes('test-support'))
    .map((name) => readFileSync(`${root}/${name}`, 'utf8'));
const readme = readFileSync(folder('../README.md'), 'utf8');
const table = readme.slice(readme.indexOf('## What is said'));
const documented = new Set(
  [...table.matchAll(/`([a-z]+(?:_[a-z]+)*)`/g)]
    .map((found) => found[1] ?? '')
    .filter((code) => code.includes('_') || code === 'deprecated'),
);

describe('the codes of the report', () => {
  it('that are documented are all in the source', () => {
    const text = [...sources(folder('../src')), ...sources(folder('../../contract/src'))].join('\n');
    expect([...documented].filter((code) => !text.includes(`'${code}'`))).to.deep.equal([]);
    expect(documented.size).to.be.greaterThan(80);
  });

  it('that the source uses are all documented', () => {
    const used = sources(folder('../src')).flatMap((text) =>
      [
        ...text.matchAll(
          /(?:notes\.(?:error|warn|info)\(|note\(\s*'(?:error|warning|info)',|refuse\(|wrong\(|code:)\s*'([a-z]+(?:_[a-z]+)+)'/g,
        ),
      ].map((found) => found[1] ?? ''),
    );
    const facts = sources(folder('../src/changes')).join('\n');
    expect([...new Set(used)].filter((code) => !documented.has(code) && !facts.includes(`'${code}'`))).to.deep.equal([]);
  });

  it('that documents of real shapes bring about are all documented', () => {
    const seen = new Set(
      allDocuments().flatMap(({ text }) => {
        const report = compileDocument(text, { lint: true });
        return [...report.document, ...report.operations.flatMap((one) => one.diagnostics)].map((one) => one.code);
      }),
    );
    expect([...seen].filter((code) => !documented.has(code))).to.deep.equal([]);
  });
});
