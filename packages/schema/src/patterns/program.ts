import { PatternRefused, type Edge, type Matcher, type Node } from './syntax.js';

/** One step of a compiled pattern. Targets are indexes into the program. */
export type Step =
  | { readonly is: 'one'; readonly matches: Matcher }
  | { is: 'split'; a: number; b: number }
  | { is: 'jump'; to: number }
  | { readonly is: 'edge'; readonly at: Edge }
  | { readonly is: 'look'; readonly ahead: boolean; readonly not: boolean; readonly program: readonly Step[] }
  | { readonly is: 'match' };

/** Steps of one pattern, look-arounds included. Memory and work per character are bounded by it. */
const MAX_STEPS = 8_000;

/**
 * Compiles a tree to a non-deterministic machine. `backwards` builds the mirror image, which answers "does it match from
 * here on?" while walking from the end, so look-ahead stays linear too.
 */
export function compileProgram(tree: Node, backwards = false, budget = { left: MAX_STEPS }): readonly Step[] {
  const steps: Step[] = [];
  const emit = <S extends Step>(step: S): S => {
    if (--budget.left < 0) throw new PatternRefused('The pattern is too large; repeat fewer things by count.');
    steps.push(step);
    return step;
  };
  const write = (node: Node): void => {
    switch (node.is) {
      case 'one':
      case 'edge':
        emit(node);
        return;
      case 'look':
        emit({ is: 'look', ahead: node.ahead, not: node.not, program: compileProgram(node.of, node.ahead, budget) });
        return;
      case 'seq':
        (backwards ? [...node.of].reverse() : node.of).forEach(write);
        return;
      case 'alt':
        writeAlternatives(node.of);
        return;
      case 'repeat':
        writeRepeat(node);
    }
  };
  const writeAlternatives = (branches: readonly Node[]): void => {
    const ends: { to: number }[] = [];
    branches.forEach((branch, index) => {
      const last = index === branches.length - 1;
      const split = last ? undefined : emit({ is: 'split', a: steps.length + 1, b: 0 });
      write(branch);
      if (split) {
        ends.push(emit({ is: 'jump', to: 0 }));
        split.b = steps.length;
      }
    });
    for (const end of ends) end.to = steps.length;
  };
  const writeRepeat = (node: Extract<Node, { is: 'repeat' }>): void => {
    for (let i = 0, before = -1; i < node.min && before !== steps.length; i++) {
      before = steps.length;
      write(node.of);
    }
    if (node.max === Infinity) {
      const start = steps.length;
      const split = emit({ is: 'split', a: steps.length + 1, b: 0 });
      write(node.of);
      emit({ is: 'jump', to: start });
      split.b = steps.length;
      return;
    }
    const splits: { b: number }[] = [];
    for (let i = node.min; i < node.max; i++) {
      splits.push(emit({ is: 'split', a: steps.length + 1, b: 0 }));
      write(node.of);
    }
    for (const split of splits) split.b = steps.length;
  };
  write(tree);
  emit({ is: 'match' });
  return steps;
}
