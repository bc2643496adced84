import { flag, integer, NAME, object, secret, text, URL_512 } from './words.js';

/** WIRE §18 Tool provider, with `kind` (the tool-source plugin), `spec_file` (an inline document kept beside the configuration), `overlay`, `on_looser` and `result_max_bytes` (WIRE §19.1 no. 4). */
export const toolProviderSchema = object(
  {
    name: NAME,
    kind: { type: 'string', pattern: '^[a-z][a-z0-9-]{0,63}$', default: 'openapi' },
    base_url: URL_512,
    spec_source: { type: 'string', enum: ['url', 'inline'], default: 'inline' },
    spec_access_policy: { type: 'string', enum: ['signed_required', 'public_allowed'], default: 'signed_required' },
    spec_url: URL_512,
    spec_json: { anyOf: [{ type: 'string', minLength: 1, maxLength: 5_242_880 }, { type: 'object' }] },
    spec_file: text(1_024),
    /** OpenAPI Overlay 1.0, applied to every document before it is compiled: how capabilities are declared on a document one does not own. */
    overlay: { anyOf: [{ type: 'string', minLength: 1, maxLength: 5_242_880 }, { type: 'object' }] },
    overlay_file: text(1_024),
    auto_refresh_min: integer(0, 1_440, 0),
    on_looser: { type: 'string', enum: ['alert', 'freeze'], default: 'alert' },
    secret: secret(8, 128),
    log_payload: flag(true),
    timeout_ms: integer(1_000, 60_000, 10_000),
    rate_limit_per_min: integer(0, 1_000_000, 120),
    result_max_bytes: integer(256, 5_242_880, 8_192),
    /** The evidence probe of unknown writes: not at all, to find evidence, or to settle them by it. */
    reconcile: { type: 'string', enum: ['off', 'evidence', 'settle'], default: 'evidence' },
    enabled: flag(true),
    description: text(1_000, 0),
  },
  ['name', 'base_url', 'secret'],
);

export interface ToolProviderResource {
  readonly name: string;
  readonly kind: string;
  readonly base_url: string;
  readonly spec_source: 'url' | 'inline';
  readonly spec_access_policy: 'signed_required' | 'public_allowed';
  readonly spec_url?: string;
  /** The document as text once read. */
  readonly spec_json?: string;
  /** The overlay as text once read. */
  readonly overlay?: string;
  /** Minutes between automatic refreshes of a URL document; 0 is none. */
  readonly auto_refresh_min: number;
  readonly on_looser: 'alert' | 'freeze';
  readonly secret: string;
  readonly log_payload: boolean;
  readonly timeout_ms: number;
  readonly rate_limit_per_min: number;
  readonly result_max_bytes: number;
  readonly reconcile: 'off' | 'evidence' | 'settle';
  readonly enabled: boolean;
  readonly description?: string;
}
