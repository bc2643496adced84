import { DEFAULT_MAX_CALLS, TOOL_INLINE_MAX, toolToken } from '@bailing/contract';
import type { JsonSchema, ToolDefinition } from '@bailing/plugin-api';
import { catalogueSummary } from '../../brain/index.js';
import type { Seat } from '../../calls/index.js';
import { businessTools } from '../../catalog/index.js';
import { isSend, SEND_SCOPE_SHOWN } from '../../messages/index.js';
import type { RouteSettings } from '../../ports/index.js';

/** One definition of the inline form (WIRE §3.2). */
interface ToolDef {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonSchema;
}

type Facts = Readonly<Record<string, unknown>>;

/** The `tools` member of a work item: definitions up to twelve, above that a catalogue. Absent where the route grants nothing. */
export function toolsBlock(seat: Seat, route: RouteSettings, serverToken: string, approvedNote: string | null): Facts | undefined {
  const tools = definitions(seat);
  if (tools.length === 0) return undefined;
  const base = {
    invoke_url: `/jobs/${seat.job.id}/tools/invoke`,
    tool_token: toolToken(serverToken, seat.job.id, seat.by.claim),
    max_calls: route.tools?.max_calls ?? DEFAULT_MAX_CALLS,
    ...(approvedNote !== null && { approved_note: approvedNote }),
  };
  if (businessTools(seat.view).length <= TOOL_INLINE_MAX)
    return {
      ...base,
      mode: 'inline',
      defs: tools.map((tool) => ({ ...toolDef(tool), ...facts(tool), readonly: tool.readonly, idempotent: tool.idempotent })),
    };
  return {
    ...base,
    mode: 'catalog',
    defs_url: `/jobs/${seat.job.id}/tools/defs`,
    catalog: tools.map((tool) => ({ name: tool.name, summary: catalogueSummary(tool.description), ...facts(tool) })),
  };
}

export function definitions(seat: Seat): ToolDefinition[] {
  return [...seat.view.tools.values()].map(({ tool }) => tool.definition);
}

export function toolDef({ name, description, input }: ToolDefinition): ToolDef {
  return { name, description, parameters: input };
}

/** `confirm_required` covers conditions too; a plain high risk shows as its risk. */
function facts(tool: ToolDefinition): Facts {
  if (isSend(tool)) return { scope: SEND_SCOPE_SHOWN, risk: tool.risk, confirm_required: false };
  return {
    scope: tool.scope,
    risk: tool.risk,
    confirm_required: tool.confirmRequired || tool.confirmWhen.length > 0,
    confirm_when: tool.confirmWhen,
  };
}
