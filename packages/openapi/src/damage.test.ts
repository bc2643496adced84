import { createSchemaCheck } from '@bailing/schema';
import type { HttpBinding, SourceReport } from '@bailing/plugin-api';
import { expect } from 'chai';
import fc from 'fast-check';
import { compileDocument } from './compile.js';
import { METHODS } from './operation/collect.js';
import { at } from './pointer.js';
import { follow, type Source } from './source.js';
import { allDocuments } from './test-support/all-documents.js';
import { damage, wounds, write } from './test-support/damage.js';
import { parseText } from './text/parse.js';
import { isMembers, own, type Members } from './values.js';

const documents = allDocuments()
  .filter(({ text }) => text.length < 20_000)
  .flatMap(({ text }) => {
    const parsed = parseText(text);
    return parsed.ok && isMembers(parsed.text.value) ? [parsed.text.value] : [];
  });

/** Every operation a document declares, listed here without the compiler's own eyes. */
function declaredIn(root: Members): string[] {
  const paths = own(root, 'paths');
  return Object.entries(isMembers(paths) ? paths : {}).flatMap(([path, item]) =>
    isMembers(item) && !path.startsWith('x-') && !Object.hasOwn(item, '$ref')
      ? Object.entries(item).flatMap(([method, operation]) =>
          isMembers(operation) && METHODS.has(method.toLowerCase()) ? [at('/paths', path, method)] : [],
        )
      : [],
  );
}

function check(report: SourceReport<HttpBinding>, root: Members, room: ReturnType<typeof createSchemaCheck>): void {
  const pointers = report.operations.map((one) => one.pointer);
  expect(new Set(pointers).size).to.equal(pointers.length);
  const broken = report.document.some((one) => one.severity === 'error');
  if (broken) expect([report.drafts, report.operations]).to.deep.equal([[], []]);
  else expect(pointers).to.include.members(declaredIn(root));
  expect(report.operations.filter((one) => one.tool !== undefined).map((one) => one.tool)).to.have.members(
    report.drafts.map((one) => one.name),
  );
  expect(new Set(report.drafts.map((one) => one.name)).size).to.equal(report.drafts.length);
  for (const draft of report.drafts) {
    const compiled = room.tryCompile(draft.input);
    expect(compiled.ok ? [] : compiled.problems).to.deep.equal([]);
    expect(Object.keys((draft.input as { properties: object }).properties)).to.deep.equal(Object.keys(draft.binding.args));
  }
  for (const one of [...report.document, ...report.operations.flatMap((operation) => operation.diagnostics)]) {
    expect(one.message.length).to.be.greaterThan(5);
    expect(one.code).not.to.equal('compiler_fault');
    if (one.severity === 'error') expect(one.suggestion ?? '', one.code).not.to.equal('');
  }
}

describe('a damaged document', () => {
  it('ends in a report: nothing throws, every declared operation appears once, every schema compiles', function () {
    this.timeout(60_000);
    const room = createSchemaCheck();
    fc.assert(
      fc.property(fc.nat(documents.length - 1), wounds, fc.boolean(), (which, list, yaml) => {
        const root = damage(documents[which], list);
        const text = write(root, yaml, []);
        const parsed = parseText(text);
        check(compileDocument(text, { lint: true }), parsed.ok && isMembers(parsed.text.value) ? parsed.text.value : {}, room);
      }),
      { numRuns: 400 },
    );
  });

  it('ends in a report also where its text is cut and mixed up', function () {
    this.timeout(30_000);
    const cuts = fc.array(
      fc.tuple(
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.constantFrom('', '{', '}', '"', ':', '\n', '  ', '- ', '&a', '*a', '<<: *a', '\t', '\u0000', '\ud800', '# ', '|', '!!int '),
      ),
      { minLength: 1, maxLength: 5 },
    );
    fc.assert(
      fc.property(fc.nat(documents.length - 1), fc.boolean(), cuts, (which, yaml, cut) => {
        const report = compileDocument(write(documents[which], yaml, cut));
        expect(report.operations.length + report.document.length).to.be.greaterThan(0);
      }),
      { numRuns: 300 },
    );
  });

  it('of any text at all ends in a report', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.json()), (text) => {
        const report = compileDocument(text);
        expect(report.document.length).to.be.greaterThan(0);
      }),
      { numRuns: 300 },
    );
  });

  it('never loses a declared parameter in silence', function () {
    this.timeout(60_000);
    fc.assert(
      fc.property(fc.nat(documents.length - 1), wounds, (which, list) => {
        const text = write(damage(documents[which], list), false, []);
        const parsed = parseText(text);
        if (!parsed.ok || !isMembers(parsed.text.value)) return;
        const source: Source = { root: parsed.text.value, version: '3.1', duplicates: [] };
        const report = compileDocument(text);
        for (const draft of report.drafts) expectAccounted(source, draft.path, draft, report);
      }),
      { numRuns: 300 },
    );
  });
});

/** Each parameter of an imported operation is an argument, or something is said where it stands. */
function expectAccounted(
  source: Source,
  path: string,
  draft: SourceReport<HttpBinding>['drafts'][number],
  report: SourceReport<HttpBinding>,
): void {
  const operation = report.operations.find((one) => one.tool === draft.name);
  const item = (own(source.root, 'paths') as Members)[path];
  const raw = operation && isMembers(item) ? item[operation.pointer.split('/').pop() ?? ''] : undefined;
  if (!isMembers(raw) || !Array.isArray(raw['parameters'])) return;
  (raw['parameters'] as unknown[]).forEach((one, i) => {
    const target = follow(source, one, at(operation?.pointer ?? '', 'parameters', i));
    if (!target.ok || !isMembers(target.value)) throw new Error('an imported operation has an unreadable parameter');
    const { name, in: where } = target.value;
    const sent = Object.values(draft.binding.args).some((arg) => arg.name === name && arg.in === where);
    const said = operation?.diagnostics.some((note) => note.pointer === target.pointer && note.severity !== 'info');
    expect(sent || said, `${String(name)} of ${draft.name}`).to.equal(true);
  });
}
