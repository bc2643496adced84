import { TOOL_INLINE_MAX } from '@bailing/contract';
import type { ModelTool, ToolDefinition } from '@bailing/plugin-api';
import { businessTools, searchTools, type View } from '../catalog/index.js';
import { BUILTIN } from '../messages/index.js';

/** Definitions that one phrase fetches. */
const FOUND_BY_WORDS = 5;

const FIND_TOOLS: ModelTool = {
  name: 'find_tools',
  description: 'Fetches the full definitions of tools from the catalogue, by name or by words that say what is needed. Costs no call.',
  parameters: {
    type: 'object',
    properties: {
      names: { type: 'array', items: { type: 'string' }, maxItems: 20, description: 'Names as the catalogue lists them.' },
      query: { type: 'string', description: 'What is needed, in a few words; finds the tools that fit best.' },
    },
    additionalProperties: false,
  },
};

/** Which definitions the model is offered: all of them up to twelve, else a catalogue and what was fetched (WIRE §11.3). */
export class Exposure {
  readonly mode: 'none' | 'inline' | 'catalog';
  private readonly fetched: Set<string>;

  constructor(
    private readonly view: View,
    fetched: readonly string[] = [],
  ) {
    this.fetched = new Set(fetched);
    // The hub's own tools are offered as they are, and not counted.
    const business = businessTools(view).length;
    this.mode = view.tools.size === 0 ? 'none' : business <= TOOL_INLINE_MAX ? 'inline' : 'catalog';
  }

  /** `name: first sentence (scope)` per tool, in the view's stable order; empty unless in catalogue mode. */
  catalogue(): string[] {
    if (this.mode !== 'catalog') return [];
    return this.business().map(
      (tool) => `- ${tool.name}: ${firstSentence(tool.description)} (${tool.scope}${needsApproval(tool) ? ', needs approval' : ''})`,
    );
  }

  offered(): readonly ModelTool[] {
    if (this.mode === 'none') return [];
    if (this.mode === 'inline') return this.definitions().map(modelTool);
    return [
      FIND_TOOLS,
      ...this.definitions()
        .filter(({ name, provider }) => provider === BUILTIN || this.fetched.has(name))
        .map(modelTool),
    ];
  }

  /** Names of what was fetched so far. */
  get known(): readonly string[] {
    return [...this.fetched];
  }

  /** Fetches definitions by name; what is no name is looked for as words. At most 20 are used. Answers what was found, as text for the model. */
  find(names: readonly string[]): { readonly found: readonly string[]; readonly text: string } {
    const wanted = names
      .slice(0, 20)
      .flatMap((name) => (this.view.tools.has(name) ? [name] : searchTools(this.view, name, FOUND_BY_WORDS)));
    const found = [...new Set(wanted)].slice(0, 20);
    for (const name of found) this.fetched.add(name);
    const tools = this.definitions().filter(({ name }) => found.includes(name));
    const text = tools.length === 0 ? 'No tool of the catalogue fits these names or words.' : JSON.stringify(tools.map(modelTool));
    return { found, text };
  }

  private business(): ToolDefinition[] {
    return businessTools(this.view).map(({ tool }) => tool.definition);
  }

  private definitions(): ToolDefinition[] {
    return [...this.view.tools.values()].map(({ tool }) => tool.definition);
  }
}

function needsApproval(tool: ToolDefinition): boolean {
  return tool.risk === 'high' || tool.confirmRequired || tool.confirmWhen.length > 0;
}

export function firstSentence(text: string): string {
  const end = text.search(/[。\n]|\.\s/);
  return (end === -1 ? text : text.slice(0, end)).slice(0, 80);
}

/** The description up to the first `。`, cut to 80 (WIRE §3.2). */
export function catalogueSummary(description: string): string {
  return (description.split('。')[0] ?? '').slice(0, 80).toWellFormed();
}

/** The description a model sees carries scope, read-only and approval facts (WIRE §4.6 rule 10). */
function modelTool(tool: ToolDefinition): ModelTool {
  const facts = [tool.scope];
  if (tool.readonly) facts.push('read-only');
  if (tool.risk === 'high' || tool.confirmRequired) facts.push('needs approval');
  else if (tool.confirmWhen.length > 0) facts.push('needs approval for some arguments');
  return { name: tool.name, description: `${tool.description} (${facts.join(', ')})`, parameters: tool.input };
}
