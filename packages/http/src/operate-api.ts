import type { DebugBundle, ExplainQuestion, Explanation, ReceivedCall, SignatureReport } from '@bailing/engine';

/** One line of the diagnostics. `fix` is empty where all is well. */
export interface Check {
  readonly check: string;
  readonly is: 'ok' | 'warn' | 'fail';
  readonly says: string;
  readonly fix: string;
}

/** What whoever runs the hub asks it about itself. Each method throws BailingError with the refusal's code. */
export interface OperateApi {
  /** Sends, counts and writes nothing. @throws BAILING_ROUTE_UNKNOWN, BAILING_REQUEST_MALFORMED */
  explain(question: ExplainQuestion): Promise<Explanation>;
  /** How the hub is, line by line. */
  diagnostics(): Promise<readonly Check[]>;
  /** What the hub would have signed, and where a received signature differs; never the secret. @throws BAILING_REQUEST_NOT_FOUND */
  checkSignature(provider: string, received: ReceivedCall): Promise<SignatureReport>;
  /** Redacted (WIRE §15.4); null for a job nobody knows. */
  bundle(job: string): Promise<DebugBundle | null>;
}
