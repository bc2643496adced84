import type { ExplainQuestion, Explanation } from '@bailing/engine';

/** What whoever runs the hub asks it about itself. Each method throws BailingError with the refusal's code. */
export interface OperateApi {
  /** Sends, counts and writes nothing. @throws BAILING_ROUTE_UNKNOWN, BAILING_REQUEST_MALFORMED */
  explain(question: ExplainQuestion): Promise<Explanation>;
}
