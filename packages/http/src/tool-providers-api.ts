import type { AuthzRecord, SpecFact } from '@bailing/engine/ports';
import type { SpecProbe } from '@bailing/plugin-api';
import type { AdminCaller } from './hub-api.js';

/** A frozen tool as an operator sees it before accepting. `tool` is `*` where every tool of the provider is frozen. */
export interface FrozenView {
  readonly tool: string;
  /** ISO-8601. */
  readonly since: string;
  readonly facts: readonly SpecFact[];
}

/** One provider: what the operator expects and what was observed stand apart, and neither is told in place of the other (WIRE §4.1). */
export interface ToolProviderView {
  readonly name: string;
  readonly kind: string;
  readonly enabled: boolean;
  readonly base_url: string;
  readonly spec_source: 'url' | 'inline';
  readonly spec_url?: string;
  /** Expectation; null for inline documents, which have no access to expect anything of. */
  readonly spec_access_policy: 'signed_required' | 'public_allowed' | null;
  /** Evidence: the last observation; null where none was made. */
  readonly spec_access_probe: SpecProbe | null;
  readonly spec_refreshed_at: string | null;
  readonly has_spec: boolean;
  readonly auto_refresh_min: number;
  readonly on_looser: 'alert' | 'freeze';
  readonly overlay: boolean;
  readonly tools: number;
  /** Id of the revision in force here; null without a document. */
  readonly revision: string | null;
  readonly frozen: readonly FrozenView[];
  readonly authz_probe: AuthzRecord | null;
  readonly warnings: readonly string[];
}

export interface RefreshView {
  readonly ok: true;
  readonly tools: number;
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly string[];
  /** Every fact about what changed, looser ones first. */
  readonly facts: readonly SpecFact[];
  readonly frozen: readonly FrozenView[];
  readonly authz_probe: AuthzRecord;
  readonly warnings: readonly string[];
}

export interface AcceptView {
  readonly ok: true;
  readonly accepted: readonly string[];
  readonly frozen: readonly FrozenView[];
}

/** One debug call as it is asked for (WIRE §4.4). */
export interface DebugInvokeRequest {
  readonly tool: string;
  /** JSON text of one object; empty for none. */
  readonly args: string;
  readonly on_behalf_of: string;
  /** Names the call: asked again it is the same call. */
  readonly job_id?: string;
  readonly allow_risky: boolean;
}

/** WIRE §4.4. `request` is null where the call was refused before it had bytes. */
export interface DebugInvokeView {
  readonly ok: boolean;
  readonly job_id: string;
  /** The call was asked for before; this is what became of it, and nothing was sent now. */
  readonly repeated?: true;
  readonly blocked?: true;
  /** Why it was not sent, or what is not known of it. */
  readonly reason?: string;
  readonly code?: string;
  readonly fix?: string;
  readonly request: DebugRequestView | null;
  readonly response?: { readonly status: number; readonly duration_ms: number; readonly text: string; readonly truncated: boolean };
  readonly governance_state?: string;
  readonly tool_execution?: unknown;
}

export interface DebugRequestView {
  readonly method: string;
  readonly url: string;
  /** What is signed of the address: the document's path and the query, without the prefix of base_url. */
  readonly path_with_query: string;
  readonly body: string;
  readonly body_encoding: 'utf8' | 'base64';
  readonly on_behalf_of: string | null;
  readonly job_id: string;
  /** All but the signature, which would open the business to whoever reads this. */
  readonly headers: Readonly<Record<string, string>>;
  /** The string to sign. */
  readonly signature_material: string;
}

/** Tool sources for operators (WIRE §4.4). Every method throws BAILING_REQUEST_NOT_FOUND for an unknown provider. */
export interface ToolProvidersApi {
  /** Expectation and evidence side by side. */
  view(name: string): Promise<ToolProviderView>;
  /** @throws BAILING_SPEC_REFRESH_FAILED where the document was not replaced */
  refresh(name: string, by: AdminCaller): Promise<RefreshView>;
  /** The tools in force and the report of the document they come from. */
  tools(name: string): Promise<Readonly<Record<string, unknown>>>;
  authzProbe(name: string, by: AdminCaller): Promise<AuthzRecord>;
  /** One call of one tool, through the exit (WIRE §4.4). @throws BAILING_HUB_PAUSED, BAILING_REQUEST_MALFORMED, BAILING_DEBUG_JOB_TAKEN */
  debugInvoke(name: string, request: DebugInvokeRequest, by: AdminCaller, signal: AbortSignal): Promise<DebugInvokeView>;
  /** @throws BAILING_REQUEST_MALFORMED where none of these tools is frozen */
  accept(name: string, tools: readonly string[], by: AdminCaller): Promise<AcceptView>;
}
