import type { DebugBundle, ExplainQuestion, Explanation } from '@bailing/engine';

/** What whoever runs the hub asks it about itself. Each method throws BailingError with the refusal's code. */
export interface OperateApi {
  /** Sends, counts and writes nothing. @throws BAILING_ROUTE_UNKNOWN, BAILING_REQUEST_MALFORMED */
  explain(question: ExplainQuestion): Promise<Explanation>;
  /** Redacted (WIRE §15.4); null for a job nobody knows. */
  bundle(job: string): Promise<DebugBundle | null>;
}
