import type { ErrorObject } from './ajv.js';
import { formatPlace } from './place.js';
import { MAX_PROBLEMS, type Problem } from './problem.js';
import { sayError } from './sentences.js';

/** ajv's errors as problems people can act on: alternatives folded into one, doubles dropped, at most {@link MAX_PROBLEMS}. */
export function reportErrors(errors: readonly ErrorObject[], value: unknown): readonly Problem[] {
  const problems = new Map<string, Problem>();
  for (const error of dropConsequences(foldAlternatives(errors))) {
    if (problems.size >= MAX_PROBLEMS) break;
    const { tokens, says } = sayError(error, value);
    const at = formatPlace(tokens);
    problems.set(`${at}\n${says}`, { at, says });
  }
  return [...problems.values()];
}

/** `if` and `propertyNames` only repeat that something below them failed. */
function dropConsequences(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const causes = errors.filter((error) => error.keyword !== 'if');
  return causes.length > 0 ? causes : errors;
}

/** Of the errors of all branches of an `anyOf`, only those of the branch that was meant are of use. */
function foldAlternatives(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  let kept = [...errors];
  for (const error of errors) {
    if ((error.keyword !== 'anyOf' && error.keyword !== 'oneOf') || !kept.includes(error)) continue;
    const below = kept.filter((other) => other.schemaPath.startsWith(`${error.schemaPath}/`));
    if (below.length === 0) continue;
    kept = kept.flatMap((other) => (other === error ? chooseBranch(error, below) : below.includes(other) ? [] : [other]));
  }
  return kept;
}

function chooseBranch(whole: ErrorObject, below: readonly ErrorObject[]): readonly ErrorObject[] {
  const branches = new Map<string, ErrorObject[]>();
  for (const error of below) {
    const branch = error.schemaPath.slice(whole.schemaPath.length + 1).split('/')[0] ?? '';
    branches.set(branch, [...(branches.get(branch) ?? []), error]);
  }
  const meant = [...branches.values()].filter((branch) => branch.every((error) => error.instancePath.length > whole.instancePath.length));
  if (meant.length === 1) return meant[0] ?? [];
  const types = below.every((error) => error.keyword === 'type' && error.instancePath === whole.instancePath);
  if (!types) return [whole];
  const wanted = below.flatMap((error) => [(error.params as { type: unknown }).type].flat());
  return [{ ...whole, keyword: 'type', params: { type: wanted } }];
}
