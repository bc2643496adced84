import { integer, object, secret, text } from './words.js';

/** Process settings (WIRE §18 "Process settings"), by their configuration names. */
export const hubSchema = object({
  environment: { type: 'string', enum: ['development', 'production'], default: 'development' },
  host: { ...(text(255) as object), default: '127.0.0.1' },
  port: integer(0, 65_535, 18_900),
  token: secret(0, 512),
  secret_key_file: { ...(text(1_024) as object), default: './.bailing/secret.key' },
  database: { ...(text(1_024) as object), pattern: '^(sqlite:|mysql:\\/\\/)', default: 'sqlite:./.bailing/hub.db', writeOnly: true },
  json_body_max_bytes: integer(1_024, 67_108_864, 1_048_576),
  shutdown_drain_ms: integer(0, 600_000, 30_000),
  display_tz: { ...(text(64) as object), default: 'Asia/Shanghai' },
  /** Jobs advanced at once in this process. */
  concurrency: integer(1, 256, 2),
  lease_ms: integer(1_000, 3_600_000, 30_000),
  /** WIRE §2.9: what waited longer for somebody to work on it ends as an error; 0 is never. */
  queue_expiry_ms: integer(0, 604_800_000, 1_800_000),
  /** WIRE §2.9: 0 keeps the ledger for ever. */
  audit_retention_days: integer(0, 36_500, 0),
  gate_timeout_ms: integer(10, 60_000, 2_000),
  log_level: { type: 'string', enum: ['debug', 'info', 'warn', 'error', 'silent'], default: 'info' },
  /** `GET /metrics`; absent: there is none. */
  metrics: object({ token: secret(24, 512), scrape_timeout_ms: integer(250, 30_000, 5_000) }, ['token']),
  /** host or host:port that plugins may reach although it is private. Providers and credentials an operator configured are always reachable. */
  allow_private_hosts: { type: 'array', items: text(255), maxItems: 100, default: [] },
});

export interface HubResource {
  readonly environment: 'development' | 'production';
  readonly host: string;
  readonly port: number;
  readonly token?: string;
  readonly secret_key_file: string;
  readonly database: string;
  readonly json_body_max_bytes: number;
  readonly shutdown_drain_ms: number;
  readonly display_tz: string;
  readonly concurrency: number;
  readonly lease_ms: number;
  readonly queue_expiry_ms: number;
  readonly audit_retention_days: number;
  readonly gate_timeout_ms: number;
  readonly log_level: 'debug' | 'info' | 'warn' | 'error' | 'silent';
  readonly metrics?: { readonly token: string; readonly scrape_timeout_ms: number };
  readonly allow_private_hosts: readonly string[];
}
