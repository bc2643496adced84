import type { Ms } from '@bailing/plugin-api';

/** One business system attached to a route (WIRE §18 route.tools.sources). */
export interface SourceSettings {
  readonly provider: string;
  /** Scopes, exact or with a trailing `.*`; `*` is all. */
  readonly allow: readonly string[];
  readonly subject_field?: string;
}

/** Where a route's questions go (WIRE §18), and how long one may wait. */
export interface ApprovalSettings {
  readonly type: string;
  readonly url?: string;
  /** Absent: as long as it takes. */
  readonly expires_after_ms?: Ms;
}

export interface AudienceSettings {
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
}

/** Where the answers of a route are delivered (WIRE §10.3). */
export interface DeliverySettings {
  /** `none`, `webhook`, `channel`, or X: executors of the target `X-notify`. */
  readonly type: string;
  readonly url?: string;
  readonly channel?: string;
  /** Recipients, separated by `|`. */
  readonly to?: string;
  /** Metadata field that holds the recipients; goes before `to`. */
  readonly to_field?: string;
}

/** The hub's own tools on a route (WIRE §18 route.tools.builtin). */
export interface BuiltinSettings {
  /** Names of channels; `*` is every enabled one. */
  readonly send_message?: { readonly channels: readonly string[] };
}

/** What happens to images, recordings and files that users link to (WIRE §12). An absent medium has the contract's default. */
export interface InputSettings {
  readonly image?: {
    readonly mode: 'tool' | 'prepass' | 'inline' | 'off';
    readonly credential?: string;
    readonly model?: string;
    /** Looks a model may take in one job, with `tool`. */
    readonly max_calls: number;
  };
  readonly audio?: {
    readonly mode: 'transcribe' | 'inline' | 'off';
    readonly credential?: string;
    readonly model?: string;
    readonly protocol: 'transcriptions' | 'chat_input_audio';
    readonly max_bytes: number;
    /** Longest recording that is written down; absent: any length. */
    readonly max_seconds?: number;
  };
  readonly file?: {
    readonly mode: 'extract' | 'summarize' | 'inline' | 'off';
    readonly credential?: string;
    readonly model?: string;
    readonly max_bytes: number;
    /** Characters of all files of a request together. */
    readonly max_chars: number;
  };
}

/** A named scenario. Member names are those of the wire (WIRE §18). */
export interface RouteSettings {
  readonly route_key: string;
  readonly name: string;
  readonly enabled: boolean;
  readonly target: string;
  readonly target_config: {
    readonly credential?: string;
    readonly model?: string;
    readonly system_prompt?: string;
    readonly temperature?: number;
    /** One model call. */
    readonly timeout_ms?: Ms;
    /** Working time of a whole job. */
    readonly deadline_ms?: Ms;
    /** False: nobody reads along. */
    readonly streaming?: boolean;
    readonly input?: InputSettings;
  };
  readonly profile: string;
  readonly session_policy: 'new' | 'fixed' | 'per_key' | 'passthrough';
  readonly session_fixed_id?: string;
  readonly session_key_field?: string;
  readonly tools?: {
    readonly sources: readonly SourceSettings[];
    readonly max_calls: number;
    readonly builtin?: BuiltinSettings;
    readonly approval?: ApprovalSettings;
  };
  readonly audience?: AudienceSettings;
  /** Where the ends of its jobs are told, where a request names no place itself. */
  readonly default_callback_url?: string;
  readonly delivery?: DeliverySettings;
  readonly memory?: MemorySettings;
  readonly budget?: BudgetSettings;
  readonly retry?: { readonly max: number; readonly backoff_ms: Ms };
}

/** Which alerts are told where (WIRE §18 Alert rule). */
export interface AlertRule {
  /** Beginning of an alert's key; empty is all. */
  readonly event_prefix: string;
  /** Posted there, or sent through `channel` to `recipients`. */
  readonly url?: string;
  readonly channel?: string;
  readonly recipients?: readonly string[];
  readonly cooldown_min: number;
  readonly enabled: boolean;
}

/** What a conversation remembers (WIRE §18 `memory`); the contract's defaults where a member is absent. Sizes in characters. */
export interface MemorySettings {
  readonly recent_messages?: number;
  readonly recent_budget_chars?: number;
  readonly per_message_chars?: number;
  readonly summary_enabled?: boolean;
  readonly summary_trigger_chars?: number;
  readonly summary_keep_recent?: number;
  readonly summary_max_chars?: number;
  readonly summary_model?: string;
}

/** What the jobs of a trailing window may have used before new ones are refused (WIRE §18). */
export interface BudgetSettings {
  readonly enabled?: boolean;
  readonly window?: 'hour' | 'day' | 'month';
  /** Goes before `window`. */
  readonly window_hours?: number;
  readonly hard_cost_usd?: number;
  readonly hard_tokens?: number;
  /** Reached: an alert, and jobs go on. */
  readonly soft_cost_usd?: number;
  readonly soft_tokens?: number;
}

export interface ClientSettings {
  readonly app_id: string;
  readonly name: string;
  readonly enabled: boolean;
  readonly allowed_routes: readonly string[];
  /** Channels it may send through itself; absent or empty is none. */
  readonly allowed_channels?: readonly string[];
  /** 0 is unlimited. */
  readonly rate_limit_per_min: number;
  readonly budget?: BudgetSettings;
}

export interface ProviderSettings {
  readonly name: string;
  readonly enabled: boolean;
  readonly log_payload: boolean;
  readonly timeout_ms: Ms;
  /** 0 is unlimited. */
  readonly rate_limit_per_min: number;
  /** Bytes of an answer that reach a brain. */
  readonly result_max_bytes: number;
  /** Whether the evidence probe asks about unknown writes, and whether its evidence may settle them. */
  readonly reconcile: 'off' | 'evidence' | 'settle';
  /** What happens to a tool whose contract became looser; `alert` where absent. */
  readonly on_looser?: 'alert' | 'freeze';
}

/** A configured way to send messages; its kind's own settings stay with whoever opened it. */
export interface ChannelSettings {
  readonly name: string;
  readonly kind: string;
  readonly enabled: boolean;
}

/** `inhub` jobs run in this hub's model loop, `executor` jobs are claimed from outside. */
export interface TargetSettings {
  readonly name: string;
  readonly kind: 'inhub' | 'executor';
  readonly enabled: boolean;
  readonly timeout_ms: Ms;
  /** It keeps nothing between jobs: what a conversation has to remember, the hub brings along. */
  readonly stateless?: boolean;
}

/** The configuration as one immutable value, swapped whole by revision; no lookup touches a database. */
export interface Settings {
  readonly rev: number;
  route(key: string): RouteSettings | undefined;
  routes(): readonly RouteSettings[];
  client(appId: string): ClientSettings | undefined;
  provider(name: string): ProviderSettings | undefined;
  target(name: string): TargetSettings | undefined;
  /** In the order of the configuration. */
  channels(): readonly ChannelSettings[];
}
