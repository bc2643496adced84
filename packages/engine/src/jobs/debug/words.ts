import type { JobRow } from '../../ports/index.js';

/** The target of jobs that are one debug call (WIRE §4.4); worked on by the hub itself, named by no route. */
export const DEBUG_INVOKE = 'debug-invoke';
/** `X-Bailing-Client` of debug calls (WIRE §4.4). */
export const DEBUG_CLIENT = 'admin-debug';

/** One debug call as it was asked for. `args` is JSON text, members in the order they came. */
export interface DebugAsk {
  readonly provider: string;
  readonly tool: string;
  readonly args: string;
  /** Empty: for nobody. */
  readonly subject: string;
  readonly allowRisky: boolean;
}

/** What such a job keeps in its metadata. */
export interface DebugMetadata {
  readonly debug: DebugAsk;
  readonly by: string;
  /** The process that was asked, and whose answer somebody waits for. */
  readonly replica: string;
}

/** Null for a job that is none. */
export function debugOfJob(job: Pick<JobRow, 'target' | 'metadata'>): DebugMetadata | null {
  if (job.target !== DEBUG_INVOKE) return null;
  const metadata = JSON.parse(job.metadata) as Partial<DebugMetadata>;
  return typeof metadata.debug?.tool === 'string' ? (metadata as DebugMetadata) : null;
}

/** What a view may show of it: arguments are shown where the log policy of the provider allows, in the ledger. */
export function debugShown({ debug, by }: DebugMetadata): Readonly<Record<string, unknown>> {
  const { provider, tool, subject, allowRisky } = debug;
  return { debug: { provider, tool, subject, allow_risky: allowRisky }, by };
}
