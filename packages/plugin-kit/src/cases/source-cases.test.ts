import type { SourceReport, ToolDraft, ToolSource } from '@bailing/plugin-api';
import { conformance, sourceCases, type SourceSetup } from '../index.js';
import { proveCases } from '../test-support/prove.js';

const SECRET = 'provider-secret-4711';
const DOCUMENT = '{"tools": ["get_order", "create_refund"]}';

const draft = (name: string): ToolDraft => ({
  name,
  method: 'GET',
  path: `/${name}`,
  acc: undefined,
  input: { type: 'object', properties: {} },
  binding: { kind: 'list' },
  says: `Does ${name}.`,
});

/** A kind of its own: a JSON list of names. */
function compile(document: string): SourceReport {
  const refused = (message: string): SourceReport => ({
    drafts: [],
    operations: [],
    document: [{ severity: 'error', code: 'invalid_spec', pointer: '', message }],
  });
  let read: unknown;
  try {
    read = JSON.parse(document);
  } catch {
    return refused('The document is not JSON.');
  }
  const names = (read as { tools?: unknown } | null)?.tools;
  if (!Array.isArray(names)) return refused('The document lists no tools.');
  return {
    document: [],
    drafts: names.map((name) => draft(String(name))),
    operations: names.map((name, index) => ({
      pointer: `/tools/${index}`,
      method: 'GET',
      path: `/${String(name)}`,
      outcome: 'imported',
      tool: String(name),
      diagnostics: [],
    })),
  };
}

const good: ToolSource = { compile, refresh: () => Promise.resolve({ is: 'fresh', document: DOCUMENT }) };
const setup = (source: Partial<Record<keyof ToolSource, unknown>>): (() => SourceSetup) => {
  return () => ({ source: { ...good, ...source } as ToolSource, document: DOCUMENT, secret: SECRET });
};
const changed = (change: (report: SourceReport) => object) =>
  setup({ compile: (document: string) => ({ ...compile(document), ...change(compile(document)) }) });
const changedDrafts = (change: object) => changed(({ drafts }) => ({ drafts: drafts.map((one) => ({ ...one, ...change })) }));

function forgetful(): SourceSetup {
  let times = 0;
  return changed(({ document }) => ({
    document: [...document, { severity: 'info', code: 'seen', pointer: '', message: `Read ${++times} times.` }],
  }))();
}

describe('the cases of tool sources', () => {
  proveCases<SourceSetup>(
    sourceCases,
    {
      'a source of its own kind': setup({}),
      'a source whose business is down': setup({
        refresh: () => Promise.resolve({ is: 'failed', code: 'BAILING_SPEC_UNREADABLE', says: 'It is down.' }),
      }),
    },
    [
      ['has no tool in its own document', 'a model can be given', changed(() => ({ drafts: [], operations: [] }))],
      ['names a tool with a dash', 'a model can be given', changedDrafts({ name: 'get-order' })],
      ['gives two tools one name', 'a model can be given', changedDrafts({ name: 'same' })],
      ['takes anything for arguments', 'a model can be given', changedDrafts({ input: true })],
      ['describes without end', 'a model can be given', changedDrafts({ says: 'x'.repeat(501) })],
      ['judges the risk itself', 'states facts only', changedDrafts({ risk: 'low' })],
      ['forgets an operation', 'accounts for every operation', changed(() => ({ operations: [] }))],
      [
        'refuses an operation without a reason',
        'accounts for every operation',
        changed(({ operations }) => ({
          operations: [...operations, { pointer: '/x', method: 'GET', path: '/x', outcome: 'refused', diagnostics: [] }],
        })),
      ],
      ['reads differently each time', 'the same way every time', forgetful],
      [
        'throws for what is not JSON',
        'throws for no text',
        setup({ compile: (document: string) => compile(JSON.stringify(JSON.parse(document))) }),
      ],
      ['takes nothing for an empty document', 'throws for no text', changed(() => ({ document: [] }))],
      ['throws when the business is down', 'refreshes to a document', setup({ refresh: () => Promise.reject(new Error('down')) })],
      ['fails without a code', 'refreshes to a document', setup({ refresh: () => Promise.resolve({ is: 'failed', says: 'It is down.' }) })],
      [
        'refreshes to a document without tools',
        'refreshes to a document',
        setup({ refresh: () => Promise.resolve({ is: 'fresh', document: '{"tools": []}' }) }),
      ],
      [
        'cannot be interrupted',
        'signal is aborted',
        setup({ refresh: (signal: AbortSignal) => (signal.aborted ? new Promise(() => undefined) : good.refresh(signal)) }),
      ],
      [
        'tells its secret when it fails',
        'lets the secret',
        setup({ refresh: () => Promise.resolve({ is: 'failed', code: 'x', says: `401 with key ${SECRET}` }) }),
      ],
    ],
  );
});

describe('a tool source that is declared to conform', () => {
  conformance.source(setup({}));
});
