// What the processes of a benchmark say to each other: one question, one answer, by number.

export interface Question {
  readonly id: number;
  readonly ask: string;
  readonly input: unknown;
}

export type Reply = { readonly id: number; readonly answer: unknown } | { readonly id: number; readonly error: string };

/** What a process has used since it started. Times in milliseconds, memory in bytes. */
export interface Usage {
  readonly cpuMs: number;
  readonly rss: number;
}
