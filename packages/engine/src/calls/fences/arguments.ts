import { canonicalJson, normalise, readStrictJson } from '@bailing/contract';
import type { CompiledTool } from '../../catalog/index.js';
import { isSend, readSendArgs, type SendBinding } from '../../messages/index.js';
import { Refusal } from '../refusal.js';
import type { Proposal } from '../seat.js';

export type Args = Readonly<Record<string, unknown>>;

const SAYS: Readonly<Record<string, string>> = {
  not_json: 'The arguments are not valid JSON.',
  duplicate_key: 'The arguments name one member twice.',
  number_too_large: 'The arguments hold a whole number beyond 2^53 that would be rounded; send it as a string if the schema allows one.',
  lone_surrogate: 'The arguments hold half of a surrogate pair.',
  too_deep: 'The arguments are nested too deeply.',
};

/** The arguments of a call to this tool: parsed once; those of a message brought into the one form that everything after reads. */
export function readArguments(proposal: Proposal, { definition }: CompiledTool): Args {
  const args = parseArguments(proposal);
  return isSend(definition) ? deepFreeze(readSendArgs(args, (definition.binding as SendBinding).channels)) : args;
}

/** Parses once, losslessly: the one value that conditions, hash, journal and wire all use. Absent or empty arguments are `{}`. */
export function parseArguments(proposal: Proposal): Args {
  const given = proposal.arguments;
  if (typeof given === 'string') {
    if (given.trim() === '') return {};
    const read = readStrictJson(given);
    if (!read.ok) throw malformed(SAYS[read.code] ?? 'The arguments are not valid JSON.', read.code);
    return asObject(read.value);
  }
  return asObject(given.value ?? {});
}

function asObject(value: unknown): Args {
  if (value === null) return {};
  if (typeof value !== 'object' || Array.isArray(value)) throw malformed('The arguments must be one JSON object.', 'not_an_object');
  try {
    // Canonical text refuses what has no UTF-8 form; the value itself keeps the order its members were written in (WIRE §6.1).
    canonicalJson(value);
    return deepFreeze(normalise(value) as Args);
  } catch {
    throw new Refusal('BAILING_ARGS_MALFORMED', 'tool_args_not_json_serializable', 'The arguments have no JSON form.');
  }
}

function malformed(says: string, problem: string): Refusal {
  return new Refusal('BAILING_ARGS_MALFORMED', 'tool_args_not_json_object', says, { detail: { problem } });
}

function deepFreeze<T>(value: T): T {
  if (value !== null && typeof value === 'object') {
    Object.values(value).forEach(deepFreeze);
    Object.freeze(value);
  }
  return value;
}

/** Checked against the schema before any gate looks: undeclared keys refused, nothing coerced, no default filled in. */
export function argumentsFence(args: Args, tools: readonly CompiledTool[]): void {
  for (const tool of new Set(tools)) {
    const problems = problemsOf(tool, args);
    if (problems.length === 0) continue;
    const said = problems.slice(0, 5).map(({ at, says }) => `${at === '' ? '' : `${at}: `}${says.replace(/\.$/, '')}`);
    throw new Refusal('BAILING_ARGS_INVALID', 'tool_args_schema_invalid', `The arguments do not match the schema: ${said.join('; ')}.`, {
      detail: { fields: problems.slice(0, 20).map(({ at }) => at) },
    });
  }
}

function problemsOf(tool: CompiledTool, args: Args): readonly { at: string; says: string }[] {
  try {
    return tool.check(args);
  } catch {
    throw new Refusal('BAILING_ARGS_INVALID', 'tool_schema_unusable', 'The schema of this tool cannot be checked, so the call is refused.');
  }
}
