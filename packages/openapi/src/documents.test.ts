import { createSchemaCheck } from '@bailing/schema';
import { expect } from 'chai';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { compileDocument } from './compile.js';
import { allDocuments, documentsFolder } from './test-support/all-documents.js';
import { briefReport } from './test-support/brief-report.js';

const documents = allDocuments();

/** `UPDATE_REPORTS=1` writes the reports anew; read the difference before it is kept. */
function expected(name: string, actual: string): string {
  const file = `${documentsFolder}${name}.report.txt`;
  if (process.env['UPDATE_REPORTS'] === '1') writeFileSync(file, actual);
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

describe('documents of real shapes', () => {
  it('are forty at least, ten of them with over a hundred operations', () => {
    const big = documents.filter(({ text }) => compileDocument(text).operations.length > 100);
    expect(documents.length).to.be.at.least(40);
    expect(big.length).to.be.at.least(10);
  });

  for (const { name, text } of documents) {
    it(`compile to the report beside them: ${name}`, () => {
      const actual = briefReport(compileDocument(text));
      expect(actual).to.equal(expected(name, actual));
    });
  }

  it('give tools whose schemas the schema room compiles, each with a place for every argument', function () {
    this.timeout(60_000);
    const room = createSchemaCheck();
    for (const { name, text } of documents) {
      const { drafts } = compileDocument(text);
      for (const draft of name.startsWith('4') || name.startsWith('5') ? drafts.filter((_, i) => i % 10 === 0) : drafts) {
        const compiled = room.tryCompile(draft.input);
        expect(compiled.ok ? [] : compiled.problems, `${name} ${draft.name}`).to.deep.equal([]);
        const properties = (draft.input as { properties: object }).properties;
        expect(Object.keys(draft.binding.args)).to.deep.equal(Object.keys(properties));
      }
    }
  });

  it('compile the same written as JSON and as YAML', () => {
    const [json, yaml] = ['41-big-crud.json', '42-big-crud.yaml'].map(
      (name) => compileDocument(documents.find((one) => one.name === name)?.text ?? '').drafts,
    );
    expect(json).to.deep.equal(yaml);
  });
});
