import { budgetSchema, type BudgetResource } from './budget.js';
import { inputSchema, type InputResource } from './input.js';
import { flag, integer, list, NAME, object, text, URL_2048, URL_512 } from './words.js';

const words = { type: 'array', items: text(128), maxItems: 100 } as const;

const source = object(
  {
    provider: NAME,
    allow: list(
      { type: 'string', pattern: '^(\\*|[A-Za-z0-9_:-]+(\\.[A-Za-z0-9_:-]+)*(\\.\\*)?)$', maxLength: 191 },
      { minItems: 1, maxItems: 1_000 },
    ),
    subject_field: text(64),
  },
  ['provider', 'allow'],
);

/** Where a held call is told (WIRE §18), and how long it may wait; without `expires_after_ms` as long as it takes. */
const approval = object(
  {
    type: { type: 'string', pattern: '^[a-z][a-z0-9_-]{0,63}$' },
    url: URL_512,
    expires_after_ms: integer(1_000, 31_536_000_000),
  },
  ['type'],
);

/** The hub's own tools. */
const builtin = object({ send_message: object({ channels: list(text(64), { minItems: 1, maxItems: 200 }) }, ['channels']) });

const tools = object({ sources: list(source, { maxItems: 32, default: [] }), max_calls: integer(1, 50, 5), builtin, approval });

const targetConfig = object({
  credential: NAME,
  model: text(128),
  system_prompt: text(100_000, 0),
  temperature: { type: 'number', minimum: 0, maximum: 2 },
  timeout_ms: integer(1_000, 3_600_000),
  deadline_ms: integer(1_000, 86_400_000, 1_200_000),
  streaming: { type: 'boolean' },
  input: inputSchema,
});

const audience = object({
  enabled: { type: 'boolean' },
  anonymous: { type: 'boolean' },
  auto: { type: 'boolean' },
  priority: integer(-1_000, 1_000),
  keywords: words,
  clients: words,
  channels: words,
  tenants: words,
  roles: words,
  principals: words,
  audiences: words,
});

/** WIRE §10.3. */
const delivery = object({ type: NAME, url: URL_2048, channel: NAME, to: text(10_000), to_field: text(64) }, ['type']);

/** WIRE §18 `memory`; sizes in characters. */
const memory = object({
  recent_messages: integer(1, 50, 12),
  recent_budget_chars: integer(200, 40_000, 8_000),
  per_message_chars: integer(50, 12_000, 2_000),
  summary_enabled: flag(false),
  summary_trigger_chars: integer(500, 40_000, 4_000),
  summary_keep_recent: integer(0, 40, 6),
  summary_max_chars: integer(200, 8_000, 1_200),
  summary_model: text(100),
});

/** WIRE §18 Route: what this version carries out of it. */
export const routeSchema = object(
  {
    route_key: { type: 'string', pattern: '^[A-Za-z0-9][A-Za-z0-9_.:-]{0,127}$' },
    name: text(128),
    enabled: flag(true),
    target: { ...NAME, default: 'llm' },
    target_config: targetConfig,
    profile: { ...(text(64) as object), default: 'readonly' },
    session_policy: { type: 'string', enum: ['new', 'fixed', 'per_key', 'passthrough'], default: 'new' },
    session_fixed_id: text(191),
    session_key_field: text(64),
    tools,
    audience,
    retry: object({ max: integer(0, 5, 0), backoff_ms: integer(500, 300_000, 5_000) }),
    default_callback_url: URL_2048,
    delivery,
    memory,
    budget: budgetSchema,
    description: text(1_000, 0),
  },
  ['route_key'],
);

export interface RouteResource {
  readonly route_key: string;
  readonly name: string;
  readonly enabled: boolean;
  readonly target: string;
  readonly target_config: {
    readonly credential?: string;
    readonly model?: string;
    readonly system_prompt?: string;
    readonly temperature?: number;
    readonly timeout_ms?: number;
    readonly deadline_ms?: number;
    readonly streaming?: boolean;
    readonly input?: InputResource;
  };
  readonly profile: string;
  readonly session_policy: 'new' | 'fixed' | 'per_key' | 'passthrough';
  readonly session_fixed_id?: string;
  readonly session_key_field?: string;
  readonly tools?: {
    readonly sources: readonly { readonly provider: string; readonly allow: readonly string[]; readonly subject_field?: string }[];
    readonly max_calls: number;
    readonly builtin?: { readonly send_message?: { readonly channels: readonly string[] } };
    readonly approval?: { readonly type: string; readonly url?: string; readonly expires_after_ms?: number };
  };
  readonly audience?: {
    readonly enabled?: boolean;
    readonly anonymous?: boolean;
    readonly auto?: boolean;
    readonly priority?: number;
    readonly keywords?: readonly string[];
    readonly clients?: readonly string[];
    readonly channels?: readonly string[];
    readonly tenants?: readonly string[];
    readonly roles?: readonly string[];
    readonly principals?: readonly string[];
    readonly audiences?: readonly string[];
  };
  readonly retry?: { readonly max: number; readonly backoff_ms: number };
  readonly default_callback_url?: string;
  readonly delivery?: {
    readonly type: string;
    readonly url?: string;
    readonly channel?: string;
    readonly to?: string;
    readonly to_field?: string;
  };
  readonly memory?: {
    readonly recent_messages: number;
    readonly recent_budget_chars: number;
    readonly per_message_chars: number;
    readonly summary_enabled: boolean;
    readonly summary_trigger_chars: number;
    readonly summary_keep_recent: number;
    readonly summary_max_chars: number;
    readonly summary_model?: string;
  };
  readonly budget?: BudgetResource;
  readonly description?: string;
}
