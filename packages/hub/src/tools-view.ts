import { frozenWhy, type Revision } from '@bailing/engine';
import { summarise } from '@bailing/openapi';
import type { Diagnostic, HttpBinding, OperationReport, ToolDefinition, ToolDraft } from '@bailing/plugin-api';

const WINDOW_MINUTES = { '1s': 1 / 60, '1m': 1, '1h': 60, '1d': 1_440 } as const;

/** `GET …/tools` (WIRE §4.4): the tools in force and the whole report of the document they come from. */
export function toolsView(revision: Revision | undefined): Readonly<Record<string, unknown>> {
  if (!revision) return { ...EMPTY, note: 'There is no readable document, so this provider contributes no tools.' };
  const drafts = new Map(revision.report.drafts.map((draft) => [draft.name, draft]));
  const said = saidOf(revision.report.operations, revision.report.document);
  return {
    tools: [...revision.tools.values()].map(({ definition }) => toolView(definition, drafts.get(definition.name), revision)),
    diagnostics: said,
    skipped: revision.report.operations.filter(({ outcome }) => outcome === 'refused').flatMap(skipped),
    warnings: said
      .filter(({ severity }) => severity === 'warning')
      .map(({ path, message, code, suggestion }) => ({ path, message, code, ...(suggestion !== undefined && { suggestion }) })),
    operations: revision.report.operations,
    summary: summarise(revision.report),
  };
}

const EMPTY = {
  ...{ tools: [], diagnostics: [], skipped: [], warnings: [], operations: [] },
  summary: summarise({ drafts: [], operations: [], document: [] }),
};

function toolView(tool: ToolDefinition, draft: ToolDraft | undefined, revision: Revision): Record<string, unknown> {
  const binding = (tool.binding ?? {}) as Partial<HttpBinding>;
  const frozen = frozenWhy(revision, tool.name);
  const acc = (draft?.acc ?? {}) as { readonly context?: unknown };
  return {
    name: tool.name,
    source: 'openapi',
    schema_version: 'bailing.tool-definition.v1',
    method: tool.method,
    path: tool.path,
    scope: tool.scope,
    risk: tool.risk,
    confirm_required: tool.confirmRequired,
    confirm_when: tool.confirmWhen,
    requires_subject: tool.requiresSubject,
    sensitive: tool.sensitive,
    readonly: tool.readonly,
    idempotent: tool.idempotent,
    timeout_ms: tool.timeoutMs,
    rate_limit_per_min: tool.rateLimit ? tool.rateLimit.count / WINDOW_MINUTES[tool.rateLimit.window] : 0,
    confirm_prompt: tool.confirmPrompt ?? '',
    context: Array.isArray(acc.context) ? acc.context : [],
    extensions: draft?.extensions ?? {},
    parameters: tool.input,
    param_in: Object.fromEntries(Object.entries(binding.args ?? {}).map(([name, arg]) => [name, arg.in])),
    description: tool.description,
    fingerprint: tool.fingerprint,
    frozen: frozen !== undefined,
    ...(frozen !== undefined && { frozen_because: frozen }),
  };
}

type Said = Omit<Diagnostic, 'pointer'> & { readonly path: string; readonly pointer: string };

/** Every diagnostic with its operation, as the contract writes it: `METHOD /path`, or `-` for the document. */
function saidOf(operations: readonly OperationReport[], document: readonly Diagnostic[]): Said[] {
  return [
    ...document.map((one) => ({ ...one, path: '-' })),
    ...operations.flatMap(({ method, path, diagnostics }) => diagnostics.map((one) => ({ ...one, path: `${method} ${path}` }))),
  ];
}

function skipped({ method, path, diagnostics }: OperationReport) {
  const error = diagnostics.find(({ severity }) => severity === 'error');
  return [
    { path: `${method} ${path}`, reason: error?.message ?? 'The operation was refused.', code: error?.code ?? 'invalid_tool_definition' },
  ];
}
