import { flag, integer, NAME, object, secret, text, URL_512 } from './words.js';

/** WIRE §18 Credential, and `provider`: which model plugin opens it. */
export const credentialSchema = object(
  {
    name: NAME,
    kind: { type: 'string', enum: ['chat', 'both'], default: 'chat' },
    provider: { type: 'string', pattern: '^[a-z][a-z0-9-]{0,63}$', default: 'openai' },
    base_url: URL_512,
    api_key: secret(1, 4_096),
    default_model: text(128),
    timeout_ms: integer(1_000, 3_600_000),
    enabled: flag(true),
    description: text(1_000, 0),
  },
  ['name'],
);

export interface CredentialResource {
  readonly name: string;
  readonly kind: 'chat' | 'both';
  readonly provider: string;
  readonly base_url?: string;
  readonly api_key?: string;
  readonly default_model?: string;
  readonly timeout_ms?: number;
  readonly enabled: boolean;
  readonly description?: string;
}
