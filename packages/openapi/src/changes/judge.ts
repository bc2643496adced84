import { readAcc } from '@bailing/contract';
import type { HttpBinding, ToolDraft } from '@bailing/plugin-api';
import { isMembers, own } from '../values.js';
import { judgeDeclaration, reaches } from './declaration.js';
import { Facts, sameJson, type ChangeFact } from './fact.js';
import { judgeSchema } from './schema.js';

export interface JudgeOptions {
  /** Scopes that routes allow (WIRE §4.7). Without them a new tool is neutral, since nobody knows whether it is reached. */
  readonly allow?: readonly string[];
  readonly baseUrl?: { readonly before: string; readonly after: string };
}

type Draft = ToolDraft<unknown>;

/**
 * Judges what changed between two revisions of a provider's tools: facts, each looser, tighter or neutral for what an agent may do. Pure. What
 * cannot be judged counts as looser. Tools are compared by name; facts come in the order of the new revision, removed tools last.
 */
export function judgeChanges(before: readonly Draft[], after: readonly Draft[], options: JudgeOptions = {}): readonly ChangeFact[] {
  const facts: ChangeFact[] = [];
  const { baseUrl, allow } = options;
  if (baseUrl && baseUrl.before !== baseUrl.after)
    facts.push({ tool: '', direction: 'looser', code: 'base_url_changed', says: 'Calls go to another base URL.', ...baseUrl });
  const was = new Map(before.map((draft) => [draft.name, draft]));
  const is = new Set(after.map((draft) => draft.name));
  for (const draft of after) {
    const earlier = was.get(draft.name);
    facts.push(...(earlier ? judgeTool(earlier, draft, allow) : [added(draft, allow)]));
  }
  for (const draft of before)
    if (!is.has(draft.name)) facts.push({ tool: draft.name, direction: 'tighter', code: 'tool_removed', says: 'The tool is gone.' });
  return facts;
}

function added(draft: Draft, allow: readonly string[] | undefined): ChangeFact {
  const scope = readAcc(draft.acc, draft.method).acc?.scope ?? '';
  const reached = allow !== undefined && reaches(allow, scope);
  const says = reached
    ? `The tool is new, and an allow list that stood before reaches its scope ${scope}.`
    : `The tool is new, with the scope ${scope}.`;
  return { tool: draft.name, direction: reached ? 'looser' : 'neutral', code: 'tool_added', after: scope, says };
}

function judgeTool(before: Draft, after: Draft, allow: readonly string[] | undefined): readonly ChangeFact[] {
  const facts = new Facts(after.name);
  judgeEndpoint(before, after, facts);
  const [was, is] = [readAcc(before.acc, before.method).acc, readAcc(after.acc, after.method).acc];
  if (was && is) judgeDeclaration(was, is, allow, facts);
  else if (!sameJson(before.acc, after.acc))
    facts.add('looser', 'declaration_changed', 'The declaration cannot be read on both sides, so its change counts as looser.');
  judgeSchema(before.input, after.input, facts);
  if (before.says !== after.says) facts.add('neutral', 'words_changed', 'The description changed.');
  return facts.list;
}

/** The same name for another request. */
function judgeEndpoint(before: Draft, after: Draft, facts: Facts): void {
  const [was, is] = [`${before.method} ${before.path}`, `${after.method} ${after.path}`];
  if (was !== is) facts.add('looser', 'endpoint_changed', 'The tool calls another operation.', { before: was, after: is });
  const [old, now] = [bindingOf(before), bindingOf(after)];
  if (old.prefix !== now.prefix)
    facts.add('looser', 'server_changed', 'The operation’s own server path changed.', { before: old.prefix, after: now.prefix });
  if (!sameJson(old.body, now.body))
    facts.add('neutral', 'body_form_changed', 'The body is written in another form.', { before: old.body, after: now.body });
  for (const [name, arg] of Object.entries(now.args ?? {})) {
    const earlier = own(old.args ?? {}, name);
    if (earlier !== undefined && !sameJson(earlier, arg))
      facts.add('looser', 'argument_moved', `${name}: The argument is sent in another place or form.`, {
        param: name,
        before: earlier,
        after: arg,
      });
  }
}

function bindingOf(draft: Draft): Partial<Pick<HttpBinding, 'prefix' | 'body' | 'args'>> {
  return isMembers(draft.binding) ? draft.binding : {};
}
