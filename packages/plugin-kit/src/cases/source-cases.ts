import assert from 'node:assert/strict';
import type { OperationReport, SourceReport, ToolDraft, ToolSource } from '@bailing/plugin-api';
import type { Case } from './case.js';
import { assertText, within } from './watch.js';

/** What the cases need of an author: a source, and a document of its kind with at least one tool. */
export interface SourceSetup {
  readonly source: ToolSource;
  readonly document: string;
  /** The secret of the provider row the source was opened with; it must not come out anywhere. */
  readonly secret?: string;
}

const NAME = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;
const MAX_DESCRIPTION = 500;

/** Texts that are no document of any kind, and some that were made to hurt. */
const BAD_DOCUMENTS: readonly string[] = [
  '',
  ' ',
  '\u0000\uFEFF',
  'null',
  '[]',
  '42',
  '{"paths": 7}',
  '{',
  '"text"',
  '<html></html>',
  '\uD800',
  '['.repeat(20_000),
  'x'.repeat(1_000_000),
  `a: &a [x, x]\n${Array.from({ length: 30 }, (_, n) => `b${n}: &b${n} [*${n === 0 ? 'a' : `b${n - 1}`}, *${n === 0 ? 'a' : `b${n - 1}`}]`).join('\n')}\n`,
];

/** What every tool source keeps: it states facts, and a bad document is a report. */
export const sourceCases: readonly Case<SourceSetup>[] = [
  {
    title: 'compiles its own document to tools whose names, schemas and descriptions a model can be given',
    check: async (make) => {
      const { source, document } = await make();
      const { drafts } = source.compile(document);
      assert.ok(drafts.length > 0, 'the document has no tool');
      for (const draft of drafts) assertDraft(draft);
      assert.equal(new Set(drafts.map(({ name }) => name)).size, drafts.length, 'two tools carry one name');
    },
  },
  {
    title: 'states facts only: no risk, no side effect, no permission',
    check: async (make) => {
      const { source, document } = await make();
      const judged = ['risk', 'readonly', 'idempotent', 'sideEffecting', 'sensitive', 'confirmRequired', 'fingerprint'];
      for (const draft of source.compile(document).drafts) {
        for (const name of judged) assert.ok(!(name in draft), `${name} is for the engine to derive`);
      }
    },
  },
  {
    title: 'accounts for every operation: each tool belongs to one that was imported, and the reverse',
    check: async (make) => {
      const { source, document } = await make();
      const { drafts, operations } = source.compile(document);
      const imported = operations.filter(({ outcome }) => outcome.startsWith('imported')).map(({ tool }) => tool);
      assert.deepEqual([...imported].sort(), drafts.map(({ name }) => name).sort());
      for (const operation of operations) assertOperation(operation);
    },
  },
  {
    title: 'reads the same document the same way every time',
    check: async (make) => {
      const { source, document } = await make();
      assert.deepEqual(source.compile(document), source.compile(document));
    },
  },
  {
    title: 'throws for no text at all: a bad document is an error in the report and brings no tools',
    check: async (make, patienceMs) => {
      const { source } = await make();
      for (const text of BAD_DOCUMENTS) {
        const report = await within(patienceMs, Promise.resolve(source.compile(text)), 'compiling a bad document');
        assertRefused(report, text.slice(0, 40));
      }
    },
  },
  {
    title: 'refreshes to a document it can compile, or to a failure with a code and a sentence',
    check: async (make, patienceMs) => {
      const { source } = await make();
      const refresh = await within(patienceMs, source.refresh(new AbortController().signal), 'a refresh');
      if (refresh.is === 'fresh') assert.ok(source.compile(refresh.document).drafts.length > 0, 'the fresh document has no tool');
      else assertFailure(refresh);
    },
  },
  {
    title: 'comes to an end when its signal is aborted',
    check: async (make, patienceMs) => {
      const { source } = await make();
      await within(patienceMs, Promise.allSettled([source.refresh(AbortSignal.abort())]), 'an aborted refresh');
    },
  },
  {
    title: 'lets the secret of its provider out nowhere',
    check: async (make) => {
      const { source, document, secret } = await make();
      if (secret === undefined) return;
      const said = JSON.stringify([source.compile(document), await source.refresh(new AbortController().signal)]);
      assert.ok(!said.includes(secret), 'the secret stands in a report');
    },
  },
];

function assertDraft(draft: ToolDraft): void {
  assert.match(draft.name, NAME, 'a tool name has letters, digits and underscores');
  assertText(draft.method, 'the method', 16);
  assertText(draft.path, 'the path', 2_000);
  assert.equal(typeof draft.says, 'string', 'the description is text');
  assert.ok(draft.says.length <= MAX_DESCRIPTION, `a description has at most ${MAX_DESCRIPTION} characters`);
  assert.ok(typeof draft.input === 'object' && draft.input['type'] === 'object', 'the input is an object schema');
  assert.doesNotThrow(() => JSON.stringify(draft.input), 'the input schema is JSON, without circles');
}

function assertOperation({ outcome, diagnostics, pointer }: OperationReport): void {
  assert.ok(['imported', 'imported_with_warnings', 'not_declared', 'refused'].includes(outcome), `${outcome} is no outcome`);
  if (outcome === 'refused')
    assert.ok(
      diagnostics.some(({ severity }) => severity === 'error'),
      `${pointer} is refused without a reason`,
    );
  for (const { code, message } of diagnostics) {
    assertText(code, 'a diagnostic code', 100);
    assertText(message, 'a diagnostic message', 2_000);
  }
}

function assertRefused(report: SourceReport, text: string): void {
  assert.deepEqual(report.drafts, [], `${JSON.stringify(text)} brought tools`);
  assert.ok(
    report.document.some(({ severity }) => severity === 'error'),
    `${JSON.stringify(text)} brought no error`,
  );
}

function assertFailure(refresh: { readonly is: string; readonly code: string; readonly says: string }): void {
  assert.equal(refresh.is, 'failed', 'a refresh is fresh or failed');
  assertText(refresh.code, 'the code of a failure', 100);
  assertText(refresh.says, 'what a failure says', 2_000);
}
