import type { SourceReport, ToolDraft } from '@bailing/plugin-api';

/** How a tool is declared at the moment. `held`, `limited` and `narrow` are stricter than `plain`; `readonly` is looser. */
export type PayVariant = 'plain' | 'held' | 'limited' | 'narrow' | 'readonly' | 'gone';
export type LookVariant = 'plain' | 'limited' | 'gone';

export interface Spec {
  readonly pay: PayVariant;
  readonly look: LookVariant;
}

/** Calls a minute of a limited tool. */
export const LIMIT = 2;
export const WINDOW_MS = 60_000;
export const NARROW_MAX = 5;
export const TIMEOUT_MS = 1_000;

const acc = (scope: string, more: object) => ({ version: 1, enabled: true, scope, ...more });
const rate = { rate_limit: { count: LIMIT, window: '1m' } };

/** A document with two tools, declared as the spec says. */
export function reportOf(spec: Spec): SourceReport {
  const drafts = [payDraft(spec.pay), lookDraft(spec.look)].filter((draft) => draft !== null);
  return { drafts, operations: [], document: [] };
}

function payDraft(variant: PayVariant): ToolDraft | null {
  if (variant === 'gone') return null;
  const execution = { timeout_ms: TIMEOUT_MS, ...(variant === 'readonly' && { readonly: true }), ...(variant === 'limited' && rate) };
  const declared = { execution, ...(variant === 'held' && { approval: { required: true } }) };
  return draft('pay', 'POST', '/payments', acc('money.pay', declared), variant === 'narrow' ? NARROW_MAX : 1_000_000);
}

function lookDraft(variant: LookVariant): ToolDraft | null {
  if (variant === 'gone') return null;
  const execution = { timeout_ms: TIMEOUT_MS, ...(variant === 'limited' && rate) };
  return draft('look', 'GET', '/payments', acc('money.look', { execution }), 1_000_000);
}

function draft(name: string, method: string, path: string, declared: object, max: number): ToolDraft {
  const amount = { type: 'integer', minimum: 1, maximum: max };
  const input = { type: 'object', properties: { amount }, required: ['amount'], additionalProperties: false };
  return { name, method, path, acc: declared, input, binding: { kind: 'scripted' }, says: name };
}
