import type { HttpBinding, OperationReport, SourceReport, ToolDraft } from '@bailing/plugin-api';
import { compileDocument, type CompileOptions } from '../compile.js';

type Members = Record<string, unknown>;

export const capability = (more: Members = {}): Members => ({ version: 1, enabled: true, scope: 'thing.do', ...more });

/** A document around path items and components; 3.1 unless another version is named. */
export function documentOf(paths: unknown, components: unknown = {}, more: Members = {}): string {
  return JSON.stringify({ openapi: '3.1.0', info: { title: 'Test', version: '1' }, paths, components, ...more }, null, 2);
}

/** A document with one declared operation, `POST /things` unless the method or path is named. */
export function oneOperation(
  operation: Members,
  {
    method = 'post',
    path = '/things',
    components = {},
    item = {},
    ...more
  }: { method?: string; path?: string; components?: Members; item?: Members } & Members = {},
): string {
  const declared = { operationId: 'thing_do', summary: 'Do the thing at hand', 'x-agent-capability': capability(), ...operation };
  return documentOf({ [path]: { ...item, [method]: declared } }, components, more);
}

export interface One {
  readonly report: SourceReport<HttpBinding>;
  readonly operation: OperationReport;
  readonly draft: ToolDraft<HttpBinding> | undefined;
  /** `severity code pointer`, in order. */
  readonly said: readonly string[];
  readonly codes: readonly string[];
}

/** Compiles a document and looks at one operation of its report. */
export function compileOne(text: string, index = 0, options: CompileOptions = {}): One {
  const report = compileDocument(text, options);
  const operation = report.operations[index];
  if (!operation) throw new Error(`no operation ${index}: ${JSON.stringify(report.document)}`);
  const draft = report.drafts.find((one) => one.name === operation.tool);
  return {
    report,
    operation,
    draft,
    said: operation.diagnostics.map((one) => `${one.severity} ${one.code} ${one.pointer}`),
    codes: operation.diagnostics.map((one) => one.code),
  };
}

export const query = (name: string, schema: unknown, more: Members = {}): Members => ({
  name,
  in: 'query',
  schema,
  description: 'Said',
  ...more,
});
export const jsonBody = (schema: unknown, more: Members = {}): Members => ({
  requestBody: { required: true, content: { 'application/json': { schema } }, ...more },
});
