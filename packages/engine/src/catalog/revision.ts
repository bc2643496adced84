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
  /** Hash over provider and document text. */
  readonly id: string;
  /** By name, in code-unit order of names. */
  readonly tools: ReadonlyMap<string, CompiledTool>;
  readonly report: SourceReport;
}

export function revisionId(provider: string, document: string): string {
  return sha256Hex(`${provider}\n${document}`).slice(0, 32);
}

/** Compiles a report into a revision. Drafts whose declaration does not hold are left out: what is malformed is never exposed. */
export function makeRevision(provider: string, document: string, report: SourceReport, schema: SchemaCheck): Revision {
  const named = report.drafts.map((draft) => defineTool(draft, provider)).filter((tool) => tool !== null);
  named.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  return Object.freeze({
    provider,
    id: revisionId(provider, document),
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
