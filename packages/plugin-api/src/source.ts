import type { Invoker, Ms } from './call.js';
import type { SourceReport } from './tool.js';

/** What was observed of a document's readability, apart from what the operator expects (WIRE §4.1, §4.3). */
export interface SpecProbe {
  readonly status: 'protected' | 'public' | 'inconclusive';
  readonly signed_http?: number;
  readonly unsigned_http?: number;
  readonly invalid_http?: number;
  readonly reason?: string;
  /** ISO-8601. */
  readonly at: string;
}

/** A tool-provider row as a source sees it (WIRE §18). */
export interface ProviderRow {
  readonly name: string;
  /** Which tool-source kind reads it; an addition to the contract, `openapi` where absent. */
  readonly kind: string;
  readonly base_url: string;
  readonly spec_source: 'url' | 'inline';
  readonly spec_url?: string;
  /** The document as text, for inline sources. */
  readonly spec_json?: string;
  readonly spec_access_policy: 'signed_required' | 'public_allowed';
  /** HMAC key; never sent, never logged. */
  readonly secret: string;
  readonly timeout_ms: Ms;
}

/** A failure keeps whatever document was cached before. */
export type SourceRefresh =
  | { readonly is: 'fresh'; readonly document: string; readonly probe?: SpecProbe }
  | { readonly is: 'failed'; readonly code: string; readonly says: string; readonly probe?: SpecProbe };

/** One provider's document and how to read it. */
export interface ToolSource<B = unknown> {
  /** Reads the document afresh. What the business does wrong is an outcome, not a throw. */
  refresh(signal: AbortSignal): Promise<SourceRefresh>;
  /** Pure: never throws for any text. `overlay` is applied first; one that cannot be carried out is an error of the document and leaves no tools. */
  compile(document: string, overlay?: string): SourceReport<B>;
  /** Brings its own invoker where the binding is not the built-in `http`. */
  readonly invoker?: Invoker<B>;
}

/** One kind of tool source: provider rows name it; one source is opened per row revision. */
export interface ToolSourceKind {
  open(row: ProviderRow): ToolSource;
}
