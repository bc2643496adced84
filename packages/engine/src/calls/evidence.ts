import { AUDIT_FIELD_BYTES, canonicalJson, cutUtf8, utf8Length } from '@bailing/contract';
import type { Answer, GovernedCall, ToolDefinition } from '@bailing/plugin-api';
import { line, type LineOf } from '../audit/index.js';
import { isSend, sendEvent, sendEvidence } from '../messages/index.js';
import type { Line, Ms, ProviderSettings } from '../ports/index.js';

type Detail = Readonly<Record<string, unknown>>;

/** An audit line about one call; messages have events of their own (WIRE §13.2). */
export function callLine(
  tool: { readonly provider: string; readonly name: string },
  event: string,
  of: LineOf,
  at: Ms,
  detail: Detail,
): Line {
  return line(isSend(tool) ? sendEvent(event, detail) : event, of, at, detail);
}

/** Sensitive wins over `log_payload` (WIRE §15.2). */
function keepsPayload(tool: ToolDefinition, provider: ProviderSettings | undefined): boolean {
  return !tool.sensitive && (provider?.log_payload ?? false);
}

/** The `args` members of an audit detail: the full text within the field budget, or the top-level names only. */
export function argsEvidence(call: GovernedCall, provider: ProviderSettings | undefined): Detail {
  if (isSend(call.tool)) return sendEvidence(call.args);
  if (!keepsPayload(call.tool, provider)) return { args: JSON.stringify(Object.keys(call.args)) };
  return field('args', canonicalJson(call.args));
}

/** The `resp` members: the full body within the field budget, or its size only. */
export function respEvidence(tool: ToolDefinition, provider: ProviderSettings | undefined, answer: Pick<Answer, 'body' | 'bytes'>): Detail {
  if (!keepsPayload(tool, provider)) return { resp: `<${String(answer.bytes)} bytes>` };
  return field('resp', answer.body);
}

function field(name: string, text: string): Detail {
  const { text: kept, cut } = cutUtf8(text, AUDIT_FIELD_BYTES);
  return { [name]: kept, [`${name}_bytes`]: cut ? utf8Length(text) : utf8Length(kept), ...(cut && { [`${name}_truncated`]: true }) };
}

/** Members every line about one call carries. */
export function callDetail(call: GovernedCall, idem: string | null): Detail {
  return {
    provider: call.tool.provider,
    tool: call.tool.name,
    scope: call.tool.scope,
    method: call.tool.method,
    path: call.tool.path,
    risk: call.tool.risk,
    on_behalf_of: call.subject === '' ? null : call.subject,
    args_hash: call.argsHash,
    idempotency_key: idem,
  };
}
