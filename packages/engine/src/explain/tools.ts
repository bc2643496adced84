import type { OperationReport } from '@bailing/plugin-api';
import { frozenWhy, scopeAllowed, type CompiledTool, type Revision, type View } from '../catalog/index.js';
import type { RouteSettings, Settings, SourceSettings } from '../ports/index.js';
import { locate } from './where.js';
import { LISTED_MAX, type ExplainedTools, type Cause, type HiddenTool, type RefusedOperation, type VisibleTool } from './words.js';

export interface ToolsQuestion {
  readonly route: RouteSettings;
  readonly settings: Settings;
  readonly view: View;
  readonly subjects: ReadonlyMap<string, string>;
  readonly current: (provider: string) => Revision | undefined;
}

/** Every tool of every attached source: shown, or hidden and by which settings; and operations that became no tool at all. */
export function explainTools(asked: ToolsQuestion): ExplainedTools {
  const visible = [...asked.view.tools.values()].map(({ tool }) => visibleTool(tool));
  const hidden: HiddenTool[] = [];
  const refused: RefusedOperation[] = [];
  for (const source of asked.route.tools?.sources ?? []) {
    const revision = asked.current(source.provider);
    if (!revision) {
      hidden.push({ name: '*', provider: source.provider, scope: '*', because: [unreadable(source, asked)] });
      continue;
    }
    for (const tool of revision.tools.values()) {
      if (asked.view.tools.get(tool.definition.name)?.source.provider === source.provider) continue;
      hidden.push(hiddenTool(tool, source, revision, asked));
    }
    refused.push(...refusedOperations(source.provider, revision));
  }
  return {
    visible: visible.slice(0, LISTED_MAX),
    hidden: hidden.slice(0, LISTED_MAX),
    refused: refused.slice(0, LISTED_MAX),
    counts: { visible: visible.length, hidden: hidden.length, refused: refused.length },
  };
}

function visibleTool({ definition: tool }: CompiledTool): VisibleTool {
  const always = tool.risk === 'high' || tool.confirmRequired;
  return {
    name: tool.name,
    provider: tool.provider,
    scope: tool.scope,
    risk: tool.risk,
    side_effecting: tool.sideEffecting,
    sensitive: tool.sensitive,
    approval: always ? 'always' : tool.confirmWhen.length > 0 ? 'for_some_arguments' : 'by_declaration_never',
  };
}

function hiddenTool({ definition }: CompiledTool, source: SourceSettings, revision: Revision, asked: ToolsQuestion): HiddenTool {
  const { name, scope } = definition;
  const { provider } = source;
  const about = { route: asked.route.route_key, tool: name, provider, scope, operation: `${definition.method} ${definition.path}` };
  const because: Cause[] = [];
  if (!asked.settings.provider(provider)?.enabled) because.push(disabledProvider(about, provider));
  if (!scopeAllowed(scope, source.allow))
    because.push(
      cause({
        ...about,
        code: 'BAILING_TOOL_NOT_GRANTED',
        reason: 'tool_not_granted',
        says: `The allow list of this source does not cover the scope ${scope}.`,
      }),
    );
  const frozen = frozenWhy(revision, name);
  if (frozen !== undefined)
    because.push(cause({ ...about, code: 'BAILING_TOOL_FROZEN', reason: 'tool_frozen', says: `It is frozen: ${frozen}` }));
  if (definition.requiresSubject && (asked.subjects.get(provider) ?? '') === '')
    because.push(
      cause({
        ...about,
        code: 'BAILING_SUBJECT_MISSING',
        reason: 'subject_missing',
        ...(source.subject_field !== undefined && { subjectField: source.subject_field }),
      }),
    );
  if (asked.view.collisions.length > 0) because.push(collision(asked));
  return { name, provider, scope, because };
}

function cause(refused: Parameters<typeof locate>[0]): Cause {
  const { code, says, setting, fix } = locate(refused);
  return { code, says, setting, fix };
}

function disabledProvider(about: { readonly route: string; readonly tool: string }, provider: string): Cause {
  return cause({
    ...about,
    code: 'BAILING_CALL_STOPPED',
    reason: 'disabled',
    says: `The provider ${provider} is disabled.`,
    stopped: `provider ${provider}`,
  });
}

function unreadable({ provider }: SourceSettings, { settings, route }: ToolsQuestion): Cause {
  const configured = settings.provider(provider);
  if (!configured)
    return {
      code: 'unknown_provider',
      says: `No tool provider is named ${provider}.`,
      setting: `routes[${route.route_key}].tools.sources[${provider}].provider`,
      fix: 'Name a configured tool provider.',
    };
  if (!configured.enabled) return disabledProvider({ route: route.route_key, tool: '*' }, provider);
  return {
    code: 'no_readable_document',
    says: `No document of ${provider} could be read so far, so it contributes no tools.`,
    setting: `tool_providers[${provider}].spec_url`,
    fix: `Try bailing refresh ${provider}; it says what stands in the way.`,
  };
}

function collision({ view, route }: ToolsQuestion): Cause {
  return {
    code: 'name_collision',
    says: `Two sources of the route share the names ${view.collisions.slice(0, 5).join(', ')}, so the whole set is closed.`,
    setting: `routes[${route.route_key}].tools.sources`,
    fix: 'Rename one of the operations, or attach only one of the two sources.',
  };
}

/** Operations that declare a capability and were refused; what declares none was never meant for agents. */
function refusedOperations(provider: string, { report }: Revision): RefusedOperation[] {
  return report.operations
    .filter(({ outcome }) => outcome === 'refused')
    .map((operation) => ({ provider, operation: `${operation.method} ${operation.path}`, because: said(provider, operation) }));
}

function said(provider: string, { method, path, pointer, diagnostics }: OperationReport): Cause[] {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  return errors.slice(0, 5).map(({ code, message, suggestion, pointer: at, line }) => ({
    code,
    says: message,
    setting: `document of ${provider}, ${method} ${path}: ${at === '' ? pointer : at}${line === undefined ? '' : ` (line ${String(line)})`}`,
    fix: suggestion ?? 'Correct the document; bailing lint says what to write.',
  }));
}
