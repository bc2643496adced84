import type { CallResult, Proposal } from '@bailing/engine';
import { readStrictJson } from '@bailing/contract';
import { BailingError } from '@bailing/plugin-api';
import { readToken } from '../auth.js';
import { executorsOf, jobId, type Reply, type Route } from '../route.js';

/** `POST /jobs/{id}/tools/invoke` (WIRE §3.4), with the job's tool token: one call through the governed exit. */
export const toolsInvoke: Route = {
  method: 'POST',
  path: '/jobs/:id/tools/invoke',
  access: 'own',
  async handle(request, hub) {
    const token = readToken(request.headers, request.query) ?? '';
    try {
      const result = await executorsOf(hub).invokeTool(jobId(request, 'id'), token, readProposal(request.body));
      return { status: 200, body: callAnswer(result) };
    } catch (error) {
      if (error instanceof BailingError && error.code === 'BAILING_JOURNAL_UNAVAILABLE') return journalUnavailable(error);
      throw error;
    }
  },
};

/**
 * Reads a proposal. Text that is no JSON reads as `{}`, and so as a call without a tool. JSON that would lose something in reading (a rounded number,
 * a member twice) goes on as text that the arguments fence reads again and refuses, so that the refusal is audited like every other.
 */
export function readProposal(bytes: Uint8Array): Proposal {
  const text = Buffer.from(bytes).toString('utf8');
  const read = readStrictJson(text);
  if (read.ok) return proposalOf(read.value, undefined);
  if (read.code === 'not_json') return proposalOf({}, undefined);
  try {
    return proposalOf(JSON.parse(text), text);
  } catch {
    return proposalOf({}, undefined);
  }
}

function proposalOf(body: unknown, refusedText: string | undefined): Proposal {
  const members = typeof body === 'object' && body !== null && !Array.isArray(body) ? (body as Readonly<Record<string, unknown>>) : {};
  const tool = typeof members['tool'] === 'string' ? members['tool'].trim() : '';
  return { tool, arguments: refusedText ?? { value: members['arguments'] } };
}

/** `{ok, text, status}` for every outcome of a call; what programs branch on is in the governance members. */
export function callAnswer(result: CallResult): Record<string, unknown> {
  const { ok, text, status, code } = result;
  return { ok, text, status, ...(code === undefined ? {} : { code }), ...governanceOf(result) };
}

function governanceOf({ governance }: CallResult): Record<string, unknown> {
  if (!governance) return {};
  if (governance.state === 'approval_pending') return { governance_state: governance.state, approval_id: governance.approvalId };
  const base = { governance_state: governance.state, auto_retry_allowed: false };
  if (governance.state !== 'reconciliation_required') return base;
  const { execution } = governance;
  // What a message is answered with is named twice (WIRE §13.2).
  return { ...base, tool_execution: execution, ...(execution.tool === 'send_message' && { uncertainty: execution }) };
}

/** Row 4 of the table: nothing was sent and nothing may be sent again by itself. */
function journalUnavailable(error: BailingError): Reply {
  const { says, fix } = error.entry;
  const body = { ok: false, error: 'execution_journal_unavailable', text: says, auto_retry_allowed: false, code: error.code, fix };
  return { status: 503, body };
}
