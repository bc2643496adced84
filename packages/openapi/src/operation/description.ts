import type { AccDeclaration } from '@bailing/contract';
import type { OperationPlace } from '../context.js';
import type { Notes } from '../notes.js';
import { cutText, isMembers, own, spoken, type Members } from '../values.js';

const MAX_SAYS = 500;

/** The description for a model (WIRE §4.6 rule 9): summary, description or scope, then labelled guidance, cut to 500 characters. */
export function describe(place: OperationPlace, acc: AccDeclaration, notes: Notes): string {
  const summary = spoken(own(place.operation, 'summary'));
  const first = summary ?? spoken(own(place.operation, 'description')) ?? acc.scope;
  if (summary === undefined)
    notes.warn(
      'missing_summary',
      place.operationPointer,
      'The operation has no summary, by which a model picks a tool.',
      'Say in one sentence what the operation does.',
    );
  const { whenToUse, returns, examples } = acc.guidance;
  const example: unknown = examples[0];
  const parts = [
    first,
    ...(spoken(whenToUse) ? [`。何时用：${spoken(whenToUse) ?? ''}`] : []),
    ...(spoken(returns) ? [`。返回：${spoken(returns) ?? ''}`] : []),
    ...(isMembers(example) ? [`。示例参数：${JSON.stringify(example)}`] : []),
  ];
  return cutText(parts.join(''), MAX_SAYS);
}

/** `x-bailing-*` and `x-business-*` are kept and never affect a gate (WIRE §4.6 rule 12). */
export function extensionsOf(operation: Members): Readonly<Record<string, unknown>> | undefined {
  const kept = Object.entries(operation).filter(([name]) => name.startsWith('x-bailing-') || name.startsWith('x-business-'));
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

/** Names that look like a slip of the pen for the capability would leave an operation off without a word. */
export function warnOfNearMisses(place: OperationPlace, notes: Notes): void {
  for (const name of Object.keys(place.operation)) {
    if (name === 'x-agent-capability' || !/^x[-_]?agent[-_]?capabilit(?:y|ies)$/i.test(name)) continue;
    notes.warn(
      'extension_namespace',
      `${place.operationPointer}/${name}`,
      `${name} is not read; the declaration is called x-agent-capability.`,
      'Rename it to x-agent-capability.',
    );
  }
}
