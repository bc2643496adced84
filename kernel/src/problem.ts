import { errorCatalogue, type ErrorCode } from '@bailing/plugin-api';

/** One thing that keeps a plugin from running: whose, where, why and what to do. Holds no secret. */
export interface BootProblem {
  readonly code: ErrorCode;
  /** Plugin id, or the entry as written where there is no id yet. */
  readonly plugin: string;
  /** `plugins[0]`, `config.limit`, a service or a point; empty for the plugin as a whole. */
  readonly at: string;
  readonly says: string;
  readonly fix: string;
  /** An optional plugin degrades; anybody else's problem stops the boot. */
  readonly fatal: boolean;
}

export interface ProblemSource {
  readonly plugin: string;
  readonly at?: string;
  /** A sentence about this one case; the catalogue's own where absent. */
  readonly detail?: string;
  readonly fix?: string;
  readonly optional?: boolean;
}

export function bootProblem(code: ErrorCode, { plugin, at = '', detail, fix, optional = false }: ProblemSource): BootProblem {
  const row = errorCatalogue[code];
  return Object.freeze({ code, plugin, at, says: detail ?? row.says, fix: fix ?? row.fix, fatal: !optional });
}

/** Stops a boot, with everything that is wrong at once. */
export class BootFailure extends Error {
  constructor(readonly problems: readonly BootProblem[]) {
    super(renderProblems(problems));
    this.name = 'BootFailure';
  }
}

/** One paragraph for people: numbered, the fatal ones first. */
export function renderProblems(problems: readonly BootProblem[]): string {
  const fatal = problems.filter((problem) => problem.fatal);
  const rest = problems.filter((problem) => !problem.fatal);
  const head = fatal.length === 0 ? 'Some optional plugins are missing:' : `Bailing does not start, ${countProblems(fatal.length)}:`;
  return [head, ...[...fatal, ...rest].map((problem, index) => `  ${index + 1}. ${renderProblem(problem)}`)].join('\n');
}

function renderProblem({ code, plugin, at, says, fix, fatal }: BootProblem): string {
  const where = at === '' ? plugin : `${plugin}, ${at}`;
  return `${where}: ${says}${fatal ? '' : ' (optional, so the hub starts without it)'}\n     ${fix} [${code}]`;
}

function countProblems(count: number): string {
  return count === 1 ? 'because of one problem' : `because of ${count} problems`;
}

/** What an unknown thrown thing says, in one bounded line. */
export function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : typeof error === 'string' ? error : 'It threw something that is not an error.';
  const line = text.replace(/\s+/g, ' ').trim() || 'It gave no reason.';
  return line.length > 500 ? `${line.slice(0, 500)}…` : line;
}
