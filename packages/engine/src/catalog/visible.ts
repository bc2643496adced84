import type { RouteSettings, Settings, SourceSettings } from '../ports/index.js';
import { BUILTIN, SEND_MESSAGE } from '../messages/message.js';
import { sendTool } from '../messages/tool.js';
import { frozenWhy, type CompiledTool, type Revision } from './revision.js';
import { scopeAllowed } from './scope.js';

/** A tool as one route grants it: whose it is, through which source, in which pinned revision. */
export interface Granted {
  readonly tool: CompiledTool;
  readonly source: SourceSettings;
  readonly revision: Revision;
}

/** The tools one job sees, pinned when the job starts. Stable order: sources in route order, names by code unit (WIRE §3.2). */
export interface View {
  readonly tools: ReadonlyMap<string, Granted>;
  /** Providers whose tools need a subject that the job lacks. */
  readonly locked: readonly { readonly provider: string; readonly subject_field: string; readonly tools: number }[];
  /** Providers that contributed nothing, and tools that are frozen, with the reason. */
  readonly unavailable: readonly { readonly provider: string; readonly why: string }[];
  /** Names that two sources share: the whole set fails closed. */
  readonly collisions: readonly string[];
}

export interface ViewInput {
  readonly route: RouteSettings;
  readonly settings: Settings;
  readonly revisions: ReadonlyMap<string, Revision>;
  /** The current revisions, which know what is frozen now; the same as `revisions` where absent. */
  readonly today?: ReadonlyMap<string, Revision>;
  /** Trusted subject per provider; empty where there is none. */
  readonly subjects: ReadonlyMap<string, string>;
}

/** Tools of business systems, the hub's own apart. */
export function businessTools(view: View): readonly Granted[] {
  return [...view.tools.values()].filter(({ tool }) => tool.definition.provider !== BUILTIN);
}

/** pinned revision ∩ route allow list ∩ subject = the tools shown. Pure. */
export function visibleTools(input: ViewInput): View {
  const own = sendTool(input.route, input.settings);
  // The hub's own tool comes first, and no other may carry its name (WIRE §3.2).
  const tools = new Map<string, Granted>(own ? [[SEND_MESSAGE, own]] : []);
  const locked: View['locked'][number][] = [];
  const unavailable: View['unavailable'][number][] = [];
  for (const source of input.route.tools?.sources ?? []) {
    const revision = reachable(source, input, unavailable);
    if (!revision) continue;
    const subject = input.subjects.get(source.provider) ?? '';
    const frozen: string[] = [];
    const hidden = grantFrom(source, { revision, today: (input.today ?? input.revisions).get(source.provider), subject }, tools, frozen);
    if (frozen.length > 0) unavailable.push({ provider: source.provider, why: frozenSentence(frozen) });
    if (hidden > 0) locked.push({ provider: source.provider, subject_field: source.subject_field ?? 'visitor_uid', tools: hidden });
  }
  const collisions = collidingNames(input);
  if (collisions.length > 0) for (const name of tools.keys()) if (name !== SEND_MESSAGE || !own) tools.delete(name);
  return { tools, locked, unavailable, collisions };
}

function reachable(source: SourceSettings, input: ViewInput, unavailable: View['unavailable'][number][]): Revision | undefined {
  const provider = input.settings.provider(source.provider);
  const revision = input.revisions.get(source.provider);
  if (provider?.enabled && revision) return revision;
  const why = !provider ? 'unknown provider' : !provider.enabled ? 'provider disabled' : 'no readable document';
  unavailable.push({ provider: source.provider, why });
  return undefined;
}

/** Adds what the source grants; answers how many tools stayed hidden for want of a subject. */
function grantFrom(
  source: SourceSettings,
  { revision, today, subject }: { readonly revision: Revision; readonly today: Revision | undefined; readonly subject: string },
  into: Map<string, Granted>,
  frozen: string[],
): number {
  let hidden = 0;
  for (const [name, tool] of revision.tools) {
    if (!scopeAllowed(tool.definition.scope, source.allow)) continue;
    if (frozenWhy(today, name) !== undefined) frozen.push(name);
    else if (tool.definition.requiresSubject && subject === '') hidden++;
    else into.set(name, { tool, source, revision });
  }
  return hidden;
}

function frozenSentence(tools: readonly string[]): string {
  const named = tools.slice(0, 5).join(', ');
  const more = tools.length > 5 ? ` and ${String(tools.length - 5)} more` : '';
  return `frozen until an operator accepts what became looser: ${named}${more}`;
}

/** Names must be unique among all enabled tools of all attached sources, in scope or not (WIRE §4.7). */
function collidingNames(input: ViewInput): string[] {
  const sources = input.route.tools?.sources ?? [];
  if (sources.length < 2) return [];
  const seen = new Map<string, string>();
  const twice = new Set<string>();
  for (const { provider } of sources) {
    for (const name of input.revisions.get(provider)?.tools.keys() ?? []) {
      if (seen.has(name) && seen.get(name) !== provider) twice.add(name);
      seen.set(name, provider);
    }
  }
  return [...twice];
}
