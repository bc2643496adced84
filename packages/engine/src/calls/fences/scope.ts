import type { Granted } from '../../catalog/index.js';
import { frozenWhy, scopeAllowed, stricterTool } from '../../catalog/index.js';
import { BUILTIN, sendTool } from '../../messages/index.js';
import type { CallDeps } from '../deps.js';
import { Refusal } from '../refusal.js';
import type { Settings } from '../../ports/index.js';
import type { Proposal, Seat } from '../seat.js';

/**
 * The reach of a route: pinned when the job started, asked again now. Removed, re-routed, frozen or no longer allowed means refused. Of the
 * protections of then and now the stricter ones count; conditions and schemas are asked of both, so both are answered.
 */
export function scopeFence(seat: Seat, proposal: Proposal, deps: CallDeps): { readonly pinned: Granted; readonly today: Granted } {
  const pinned = seat.view.tools.get(proposal.tool);
  if (!pinned) throw notThere(seat, proposal, deps);
  const settings = deps.settings();
  const provider = pinned.source.provider;
  if (provider === BUILTIN) return { pinned, today: builtinToday(seat, settings) };
  const source = settings.route(seat.job.route)?.tools?.sources.find((s) => s.provider === provider);
  const revision = deps.current(provider);
  const tool = revision?.tools.get(proposal.tool);
  const gone = (why: string) => new Refusal('BAILING_TOOL_NOT_GRANTED', why, `The tool ${proposal.tool} is no longer granted.`);
  if (!source || !scopeAllowed(pinned.tool.definition.scope, source.allow)) throw gone('tool_not_allowed_any_more');
  if (!revision || !tool || !scopeAllowed(tool.definition.scope, source.allow)) throw gone('tool_removed');
  if (tool.definition.method !== pinned.tool.definition.method || tool.definition.path !== pinned.tool.definition.path)
    throw gone('tool_moved');
  const frozen = frozenWhy(revision, proposal.tool);
  if (frozen !== undefined) throw frozenRefusal(provider, proposal.tool, frozen);
  return { pinned, today: { tool: stricterTool(tool, pinned.tool), source, revision } };
}

/** The hub's own tool, with the channels that the route may use now. */
function builtinToday(seat: Seat, settings: Settings): Granted {
  const today = sendTool(settings.route(seat.job.route), settings);
  if (today) return today;
  throw new Refusal('BAILING_TOOL_NOT_GRANTED', 'tool_not_allowed_any_more', 'This route may send no messages any more.');
}

/** A tool that is not in the view, by the reason that helps: frozen, stopped or for want of a subject where only that keeps it out, else simply not granted. */
function notThere(seat: Seat, { tool }: Proposal, deps: CallDeps): Refusal {
  const settings = deps.settings();
  for (const { provider, allow } of settings.route(seat.job.route)?.tools?.sources ?? []) {
    const revision = deps.current(provider);
    const known = revision?.tools.get(tool);
    if (!known || !scopeAllowed(known.definition.scope, allow)) continue;
    if (!settings.provider(provider)?.enabled) return stopped(`provider ${provider}`);
    const frozen = frozenWhy(revision, tool);
    if (frozen !== undefined) return frozenRefusal(provider, tool, frozen);
    if (known.definition.requiresSubject && (seat.subjects.get(provider) ?? '') === '') return subjectMissing();
  }
  const says = `There is no tool named ${JSON.stringify(tool.slice(0, 64))} here.`;
  return new Refusal('BAILING_TOOL_NOT_GRANTED', 'tool_not_granted', says);
}

export function subjectMissing(): Refusal {
  return new Refusal('BAILING_SUBJECT_MISSING', 'subject_missing', 'This tool acts for a person, and this job has no trusted subject.');
}

function frozenRefusal(provider: string, tool: string, why: string): Refusal {
  return new Refusal('BAILING_TOOL_FROZEN', 'tool_frozen', `The tool ${tool} is frozen: ${why}`, {
    detail: { provider, says: why.slice(0, 300) },
  });
}

function stopped(what: string): Refusal {
  return new Refusal('BAILING_CALL_STOPPED', 'disabled', `Calls are stopped: ${what} is disabled.`, { detail: { stopped: what } });
}

/** Stops of configuration; the flags an operator sets at run time are asked inside the intend commit. */
export function stopFence(seat: Seat, provider: string, deps: CallDeps): void {
  const settings = deps.settings();
  if (!settings.route(seat.job.route)?.enabled) throw stopped(`route ${seat.job.route}`);
  if (!settings.provider(provider)?.enabled) throw stopped(`provider ${provider}`);
  if (seat.job.client !== '' && !settings.client(seat.job.client)?.enabled) throw stopped(`client ${seat.job.client}`);
}
