import { renderProblems } from './problem.js';
import type { KernelTree, PluginBranch } from './tree.js';

/** The tree as text: one plugin a branch, with its times and health. */
export function renderTree(tree: KernelTree): string {
  const widths = { id: widest(tree.plugins.map(title)), from: widest(tree.plugins.map(({ from }) => from)) };
  const lines = tree.plugins.flatMap((branch, index) => renderBranch(branch, widths, index === tree.plugins.length - 1));
  const head = `${tree.plugins.length} plugin${tree.plugins.length === 1 ? '' : 's'}, ${milliseconds(tree.totalMs)}`;
  return [head, ...lines, ...(tree.problems.length > 0 ? ['', renderProblems(tree.problems)] : [])].join('\n');
}

function renderBranch(branch: PluginBranch, widths: { readonly id: number; readonly from: number }, last: boolean): readonly string[] {
  const { from, initMs, startMs } = branch;
  const time = initMs === undefined ? '-' : milliseconds(initMs + (startMs ?? 0));
  const first = `${title(branch).padEnd(widths.id)}  ${from.padEnd(widths.from)}  ${time.padStart(8)}  ${condition(branch)}`;
  const twigs = [
    ...branch.adds.map(({ point, name }) => `adds ${point} ${name}`),
    ...branch.offers.map((service) => `offers ${service}`),
    ...branch.needs.map(({ service, by }) => `needs ${service} (${by})`),
    ...branch.problems.map(({ at, says, code }) => `${at === '' ? '' : `${at}: `}${says} [${code}]`),
  ];
  const stem = last ? '   ' : '│  ';
  return [`${last ? '└─' : '├─'} ${first}`, ...twigs.map((twig, index) => `${stem}${index === twigs.length - 1 ? '└─' : '├─'} ${twig}`)];
}

function title({ id, optional }: PluginBranch): string {
  return optional ? `${id} (optional)` : id;
}

function condition({ state, health }: PluginBranch): string {
  if (state === 'registered') return 'not started';
  if (state === 'failed' || state === 'stopped') return state;
  const word = health.ok ? 'ok' : 'not well';
  return health.says === undefined ? word : `${word}: ${health.says}`;
}

function widest(texts: readonly string[]): number {
  return Math.max(0, ...texts.map((text) => text.length));
}

function milliseconds(ms: number): string {
  return `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`;
}
