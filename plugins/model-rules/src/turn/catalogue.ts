import type { ModelRequest, ModelTool } from '@bailing/plugin-api';
import { stepsOf } from '../steps/plan.js';
import type { Turn } from './turn.js';

/** The contract's own tools that fetch definitions or look at pictures (WIRE §11.3); none of them does business. */
const FETCH = 'find_tools';
const SEARCH = 'search_tools';
const BUILT_IN = new Set([FETCH, SEARCH, 'see_image']);
/** Definitions fetched per step. */
const PER_STEP = 3;
const MOST = 20;

export function isBuiltIn(name: string): boolean {
  return BUILT_IN.has(name);
}

/** Tools that do business. */
export function businessTools(tools: readonly ModelTool[]): readonly ModelTool[] {
  return tools.some((tool) => isBuiltIn(tool.name)) ? tools.filter((tool) => !isBuiltIn(tool.name)) : tools;
}

export interface Fetch {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/**
 * On a route with many tools only a catalogue is shown. Before anything else the definitions of the tools that could serve are fetched,
 * once per turn; undefined where that is done or nothing in the catalogue could serve.
 */
export function fetchFirst(request: ModelRequest, turn: Turn): Fetch | undefined {
  const offered = new Set(request.tools.map((tool) => tool.name));
  const looked = turn.done.some((call) => call.tool === FETCH || call.tool === SEARCH);
  if (looked || turn.input === '') return undefined;
  if (offered.has(FETCH)) {
    const names = wanted(turn, catalogueOf(request)).filter((name) => !offered.has(name));
    return names.length === 0 ? undefined : { tool: FETCH, args: { names } };
  }
  return offered.has(SEARCH) ? { tool: SEARCH, args: { query: turn.input.slice(0, 500) } } : undefined;
}

/** Catalogue lines (`- name: summary (scope)`) as tools without parameters. */
export function catalogueOf(request: ModelRequest): ModelTool[] {
  const lines = request.messages.filter((message) => message.role === 'system').flatMap((message) => message.content.split('\n'));
  return lines.flatMap((line) => {
    const [, name, description] = /^\s*[-*]\s+([A-Za-z_][A-Za-z0-9_]{0,63}):\s+(\S.*)$/.exec(line) ?? [];
    return name === undefined || description === undefined || isBuiltIn(name) ? [] : [{ name, description, parameters: {} }];
  });
}

function wanted(turn: Turn, catalogue: readonly ModelTool[]): string[] {
  const best = stepsOf(turn.input, catalogue, turn.today).flatMap((step) =>
    step.choices.slice(0, PER_STEP).map((choice) => choice.profile.tool.name),
  );
  return [...new Set(best)].slice(0, MOST);
}
