import type { AccDeclaration } from '@bailing/contract';
import { canonicalJson, readAcc, sha256Hex } from '@bailing/contract';
import type { ToolDefinition, ToolDraft } from '@bailing/plugin-api';
import { reconcileHint } from '../reconcile/evidence.js';

/**
 * Judges a draft: risk and side effect come from the declaration and the method, never from the source.
 * Null where the declaration is not valid or not enabled; a draft like that is no tool.
 */
export function defineTool(draft: ToolDraft, provider: string): ToolDefinition | null {
  const { acc } = readAcc(draft.acc, draft.method);
  if (acc === null) return null;
  const reconcile = acc.sideEffecting ? reconcileHint(draft.extensions?.['x-bailing-reconcile']) : undefined;
  return Object.freeze({
    name: draft.name,
    provider,
    scope: acc.scope,
    method: draft.method,
    path: draft.path,
    description: draft.says,
    risk: acc.risk,
    readonly: acc.readonly,
    idempotent: acc.idempotent,
    sideEffecting: acc.sideEffecting,
    requiresSubject: acc.subjectRequired,
    sensitive: acc.sensitive,
    confirmRequired: acc.confirmRequired,
    confirmWhen: acc.confirmWhen,
    ...(acc.confirmPrompt !== undefined && { confirmPrompt: acc.confirmPrompt }),
    ...(acc.rateLimit && { rateLimit: acc.rateLimit }),
    timeoutMs: acc.timeoutMs,
    ...(reconcile && { reconcile }),
    input: draft.input,
    binding: draft.binding,
    fingerprint: fingerprint(draft, acc),
  });
}

/**
 * The security fingerprint (WIRE §4.4), widened by what the wire form and the schema say: it moves whenever what may be sent or
 * what stops it moves, and stays when only words change. 64 hex, so that it can be stored whatever the declaration says.
 */
function fingerprint(draft: ToolDraft, acc: AccDeclaration): string {
  const words = [`${draft.method} ${draft.path} scope=${acc.scope} risk=${acc.risk}`];
  if (acc.confirmRequired) words.push('confirm');
  if (acc.confirmWhen.length > 0) words.push(`confirm_when=${JSON.stringify(acc.confirmWhen)}`);
  if (acc.subjectRequired) words.push('subj');
  if (acc.sensitive) words.push('sens');
  if (acc.readonly && draft.method !== 'GET') words.push('ro');
  if (acc.idempotent && draft.method !== 'GET') words.push('idem');
  if (acc.rateLimit) words.push(`rate=${String(acc.rateLimit.count)}/${acc.rateLimit.window}`);
  words.push(`wire=${sha256Hex(canonicalJson([draft.binding, withoutWords(draft.input)])).slice(0, 16)}`);
  return sha256Hex(words.join(' '));
}

const WORDS = new Set(['description', 'title', 'examples', 'example', '$comment', 'deprecated']);

/** The schema without the annotations that change nothing about what is accepted. Members of `properties` are names, not annotations. */
function withoutWords(schema: unknown, named = false): unknown {
  if (Array.isArray(schema)) return schema.map((item) => withoutWords(item));
  if (schema === null || typeof schema !== 'object') return schema;
  const kept = Object.entries(schema).filter(([key]) => named || !WORDS.has(key));
  return Object.fromEntries(kept.map(([key, value]) => [key, withoutWords(value, !named && (key === 'properties' || key === '$defs'))]));
}
