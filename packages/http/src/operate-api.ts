import type { Census, JobUsage, TargetCount, Thread } from '@bailing/engine/ports';
import type { AdminCaller } from './hub-api.js';
import type { DebugBundle, ExplainQuestion, Explanation, ReceivedCall, SignatureReport } from '@bailing/engine';

/** One line of the diagnostics. `fix` is empty where all is well. */
export interface Check {
  readonly check: string;
  readonly is: 'ok' | 'warn' | 'fail';
  readonly says: string;
  readonly fix: string;
}

/** Who did what to the hub itself. */
export interface DoneView {
  readonly seq: number;
  readonly ts: string;
  readonly event: string;
  readonly by: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** An executor as all hubs know it: by the name of its token and the id it gives itself. Times in milliseconds since the epoch. */
export interface ExecutorSeen {
  readonly executorId: string;
  readonly token: string;
  /** Null where it holds jobs but was not seen for two days. */
  readonly seenAt: number | null;
  readonly online: boolean;
  /** Jobs it holds. */
  readonly jobs: number;
  readonly oldestJobAt: number | null;
}

export interface VerifyRequest {
  readonly capability: 'chat' | 'vision';
  readonly model?: string;
  readonly timeoutMs: number;
}

/** One question put to a model endpoint. */
export interface Verified {
  readonly ok: boolean;
  /** What it answered, or what went wrong; never a secret. */
  readonly message: string;
  readonly capability: string;
  readonly model: string;
  readonly duration_ms: number;
}

/** What whoever runs the hub asks it about itself. Each method throws BailingError with the refusal's code. */
export interface OperateApi {
  /** Sends, counts and writes nothing. @throws BAILING_ROUTE_UNKNOWN, BAILING_REQUEST_MALFORMED */
  explain(question: ExplainQuestion): Promise<Explanation>;
  /** How the hub is, line by line. */
  diagnostics(): Promise<readonly Check[]>;
  /** What the hub would have signed, and where a received signature differs; never the secret. @throws BAILING_REQUEST_NOT_FOUND */
  checkSignature(provider: string, received: ReceivedCall): Promise<SignatureReport>;
  /** What of the configuration leads nowhere, line by line. */
  configDiagnostics(): readonly Check[];
  /** Who changed, revealed, paused or tried what, newest first; `next` is where a next page begins. */
  done(beforeSeq: number, limit: number): Promise<{ readonly items: readonly DoneView[]; readonly next: number | null }>;
  /** Counts of everything that waits or is worked on. */
  census(): Promise<Census>;
  byTarget(): Promise<readonly TargetCount[]>;
  /** Those that came within two days or hold something, at most 1,000. */
  executors(): Promise<readonly ExecutorSeen[]>;
  usage(since: number, limit: number): Promise<readonly JobUsage[]>;
  threads(before: number, limit: number): Promise<readonly Thread[]>;
  /** Asks a model endpoint once. @throws BAILING_REQUEST_NOT_FOUND for a credential that is not there or disabled */
  verifyCredential(name: string, request: VerifyRequest, by: AdminCaller, signal: AbortSignal): Promise<Verified>;
  /** Redacted (WIRE §15.4); null for a job nobody knows. */
  bundle(job: string): Promise<DebugBundle | null>;
}
