import { sha256Hex } from '@bailing/contract';
import { line } from '../audit/index.js';
import type { Line, SpecFact } from '../ports/index.js';

/** Lines about a provider belong to no job (WIRE §15.1). */
export function ofProvider(provider: string): { readonly job: string; readonly requestId: string } {
  return { job: '-', requestId: `tools:${provider}`.slice(0, 128) };
}

/** Something a person should hear of (WIRE §10.4): written down here; what is sent, and how often, is decided by whoever sends. */
export function alertLine(provider: string, key: string, message: string, at: number): Line {
  return line('alert', ofProvider(provider), at, { kind: 'alert', provider, key, message: message.slice(0, 2_000) });
}

export interface Difference {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly string[];
}

/** What people read about a change of a provider's tools. The key of its alert is a hash over this text. */
export function changeAlert(provider: string, diff: Difference, looser: readonly SpecFact[], frozen: readonly string[], at: number): Line {
  const parts = [
    listed('added', diff.added),
    listed('removed', diff.removed),
    listed('changed', diff.changed),
    looser.length === 0 ? '' : `LOOSER: ${looser.slice(0, 10).map(sentence).join(' ')}${more(looser.length - 10)}`,
    frozen.length === 0 ? '' : `Frozen until accepted: ${frozen.slice(0, 20).join(', ')}.`,
  ];
  const text = `The tools of ${provider} changed. ${parts.filter((part) => part !== '').join(' ')}`;
  return alertLine(provider, `spec_change_${provider}_${sha256Hex(text).slice(0, 8)}`, text, at);
}

export function failureAlert(provider: string, says: string, at: number): Line {
  const text = `The tool document of ${provider} could not be read; what was there before stays. ${says}`;
  return alertLine(provider, `spec_refresh_fail_${provider}`, text, at);
}

/** Evidence of every looser fact, as far as one line carries them. */
export function loosenedLine(
  provider: string,
  via: string,
  facts: readonly SpecFact[],
  policy: string,
  frozen: readonly string[],
  at: number,
): Line {
  const kept = facts.slice(0, 50).map(({ tool, code, param, before, after, says }) => ({
    tool,
    code,
    ...(param !== undefined && { param }),
    ...(before !== undefined && { before: short(before) }),
    ...(after !== undefined && { after: short(after) }),
    says: says.slice(0, 300),
  }));
  return line('spec_loosened', ofProvider(provider), at, { provider, via, on_looser: policy, looser: facts.length, facts: kept, frozen });
}

/** A value of a document as evidence: whole where it is short, else its beginning as text. */
function short(value: unknown): unknown {
  const text = JSON.stringify(value) ?? '';
  return text.length <= 200 ? value : `${text.slice(0, 200).toWellFormed()}…`;
}

function sentence({ tool, says }: SpecFact): string {
  return tool === '' ? says : `${tool}: ${says}`;
}

function listed(word: string, names: readonly string[]): string {
  return names.length === 0 ? '' : `${String(names.length)} ${word}: ${names.slice(0, 10).join(', ')}${more(names.length - 10)}.`;
}

function more(count: number): string {
  return count > 0 ? ` and ${String(count)} more` : '';
}
