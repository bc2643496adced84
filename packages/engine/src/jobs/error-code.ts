import { errorCatalogue, type ErrorCode } from '@bailing/plugin-api';

export interface JobError {
  readonly code: ErrorCode;
  /** What to do. */
  readonly fix: string;
}

/** Errors whose words the contract fixes (WIRE §8.2, §2.3), as they begin. */
const WORDS: readonly (readonly [string, ErrorCode])[] = [
  ['tool_execution_reconciliation_required', 'BAILING_CALL_UNKNOWN'],
  ['tool_execution_journal_unavailable', 'BAILING_JOURNAL_UNAVAILABLE'],
  ['cancelled', 'BAILING_JOB_CANCELLED'],
  ['thread_inflight_quota', 'BAILING_JOB_THREAD_FULL'],
  ['budget_', 'BAILING_JOB_OVER_BUDGET'],
];

/** Targets that the hub works on itself, and what it is where an error says no more. */
const OWN: Readonly<Record<string, ErrorCode>> = {
  llm: 'BAILING_MODEL_FAILED',
  'channel-send': 'BAILING_DELIVERY_FAILED',
  'debug-invoke': 'BAILING_DEBUG_NOT_SENT',
};

/**
 * The catalogue's code of a job's error, and what to do. The text itself is for people and partly the contract's. What an executor reports is its
 * own words, whatever they look like; of those only the hub's own sentences count.
 */
export function jobErrorOf(job: { readonly target: string; readonly error: string | null }): JobError | null {
  const { target, error } = job;
  if (error === null || error === '') return null;
  const code = hubCode(error, Object.hasOwn(OWN, target)) ?? OWN[target] ?? 'BAILING_EXECUTOR_FAILED';
  return { code, fix: errorCatalogue[code].fix };
}

function hubCode(error: string, ours: boolean): ErrorCode | undefined {
  const named = /^(BAILING(?:_[A-Z]+)+): /.exec(error)?.[1];
  if (named !== undefined && isCode(named) && (ours || error === sentenceOf(named))) return named;
  return WORDS.find(([word]) => error === word || (word.endsWith('_') ? error.startsWith(word) : error.startsWith(`${word}:`)))?.[1];
}

function isCode(name: string): name is ErrorCode {
  return Object.hasOwn(errorCatalogue, name);
}

/** How a job's error reads that the hub itself ended. */
export function sentenceOf(code: ErrorCode): string {
  return `${code}: ${errorCatalogue[code].says}`;
}
