import type { Granted } from '../../catalog/index.js';
import { frozenWhy, scopeAllowed, stricterTool } from '../../catalog/index.js';
import type { CallDeps } from '../deps.js';
import { Refusal } from '../refusal.js';
import type { Proposal, Seat } from '../seat.js';

/**
 * The reach of a route: pinned when the job started, asked again now. Removed, re-routed, frozen or no longer allowed means refused. Of the
 * protections of then and now the stricter ones count; conditions and schemas are asked of both, so both are answered.
 */
export function scopeFence(seat: Seat, proposal: Proposal, deps: CallDeps): { readonly pinned: Granted; readonly today: Granted } {
  const pinned = seat.view.tools.get(proposal.tool);
  if (!pinned)
    throw new Refusal(
      'BAILING_TOOL_NOT_GRANTED',
      'tool_not_granted',
      `There is no tool named ${JSON.stringify(proposal.tool.slice(0, 64))} here.`,
    );
  const settings = deps.settings();
  const provider = pinned.source.provider;
  const source = settings.route(seat.job.route)?.tools?.sources.find((s) => s.provider === provider);
  const revision = deps.current(provider);
  const tool = revision?.tools.get(proposal.tool);
  const gone = (why: string) => new Refusal('BAILING_TOOL_NOT_GRANTED', why, `The tool ${proposal.tool} is no longer granted.`);
  if (!source || !scopeAllowed(pinned.tool.definition.scope, source.allow)) throw gone('tool_not_allowed_any_more');
  if (!revision || !tool || !scopeAllowed(tool.definition.scope, source.allow)) throw gone('tool_removed');
  if (tool.definition.method !== pinned.tool.definition.method || tool.definition.path !== pinned.tool.definition.path)
    throw gone('tool_moved');
  const frozen = frozenWhy(revision, proposal.tool);
  if (frozen !== undefined)
    throw new Refusal('BAILING_TOOL_FROZEN', 'tool_frozen', `The tool ${proposal.tool} is frozen: ${frozen}`, {
      detail: { provider, says: frozen.slice(0, 300) },
    });
  return { pinned, today: { tool: stricterTool(tool, pinned.tool), source, revision } };
}

/** Stops of configuration; the flags an operator sets at run time are asked inside the intend commit. */
export function stopFence(seat: Seat, provider: string, deps: CallDeps): void {
  const settings = deps.settings();
  const stopped = (what: string) =>
    new Refusal('BAILING_CALL_STOPPED', 'disabled', `Calls are stopped: ${what} is disabled.`, { detail: { stopped: what } });
  if (!settings.route(seat.job.route)?.enabled) throw stopped(`route ${seat.job.route}`);
  if (!settings.provider(provider)?.enabled) throw stopped(`provider ${provider}`);
  if (seat.job.client !== '' && !settings.client(seat.job.client)?.enabled) throw stopped(`client ${seat.job.client}`);
}
