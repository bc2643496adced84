import { sha256Hex } from '@bailing/contract';
import type { SchemaCheck, SchemaValidator, SourceReport, ToolDefinition } from '@bailing/plugin-api';
import { defineTool } from './definition.js';

/** A tool with its argument check, which is compiled on first use and kept as long as its revision. */
export interface CompiledTool {
  readonly definition: ToolDefinition;
  /** @throws where the schema itself cannot be compiled; the caller fails closed */
  readonly check: SchemaValidator;
}

/** One compiled document of one provider: immutable, named by its content, shared by every job that pins it. */
export interface Revision {
  readonly provider: string;
  /** Hash over provider, overlay and document text. */
  readonly id: string;
  /** By name, in code-unit order of names. */
  readonly tools: ReadonlyMap<string, CompiledTool>;
  readonly report: SourceReport;
  /** Tools that nobody may call until an operator accepts what became looser, with the reason; `*` is all. Only the current revision has any. */
  readonly frozen?: ReadonlyMap<string, string>;
}

export function revisionId(provider: string, document: string, overlay: string | null = null): string {
  const parts = overlay === null ? `${provider}\n${document}` : `${provider}\n${sha256Hex(overlay)}\n${document}`;
  return sha256Hex(parts).slice(0, 32);
}

/** Why nobody may call a tool now; undefined where nothing stands against it. */
export function frozenWhy(revision: Revision | undefined, tool: string): string | undefined {
  return revision?.frozen?.get(tool) ?? revision?.frozen?.get('*');
}

/** Compiles a report into a revision. Drafts whose declaration does not hold are left out: what is malformed is never exposed. */
export function makeRevision(
  provider: string,
  document: string,
  report: SourceReport,
  schema: SchemaCheck,
  overlay: string | null = null,
): Revision {
  const named = report.drafts.map((draft) => defineTool(draft, provider)).filter((tool) => tool !== null);
  named.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  return Object.freeze({
    provider,
    id: revisionId(provider, document, overlay),
    tools: new Map(named.map((definition) => [definition.name, new LazyTool(definition, schema)])),
    report,
  });
}

class LazyTool implements CompiledTool {
  private validator: SchemaValidator | undefined;
  constructor(
    readonly definition: ToolDefinition,
    private readonly schema: SchemaCheck,
  ) {}

  get check(): SchemaValidator {
    return (this.validator ??= this.schema.compile(this.definition.input));
  }
}
