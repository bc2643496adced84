/** One thing that is wrong: where (`tools.sources[0].allow`, empty for the whole) and a sentence that never repeats a value. */
export interface Problem {
  readonly at: string;
  readonly says: string;
}

/** More than this nobody reads. */
export const MAX_PROBLEMS = 20;
