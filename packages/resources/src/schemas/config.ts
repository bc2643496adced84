import { adminSchema, type AdminResource } from './admin.js';
import { alertRuleSchema, type AlertRuleResource } from './alert-rule.js';
import { channelSchema, type ChannelResource } from './channel.js';
import { clientSchema, type ClientResource } from './client.js';
import { credentialSchema, type CredentialResource } from './credential.js';
import { hubSchema, type HubResource } from './hub.js';
import { routeSchema, type RouteResource } from './route.js';
import { toolProviderSchema, type ToolProviderResource } from './tool-provider.js';
import { executorTokenSchema, targetSchema, type ExecutorTokenResource, type TargetResource } from './target.js';
import { flag, integer, list, object, text } from './words.js';

const plugin = {
  anyOf: [
    text(1_024),
    object(
      {
        /** A built-in's id, a package name, or a path that starts with `.` or `/`. */
        use: text(1_024),
        optional: flag(false),
        init_timeout_ms: integer(1, 600_000, 10_000),
        config: { type: 'object' },
      },
      ['use'],
    ),
  ],
} as const;

/** `bailing.yaml` as a whole. */
export const configSchema = object({
  hub: { ...(hubSchema as object), default: {} },
  plugins: list(plugin, { maxItems: 200, default: [] }),
  /** Which plugin's offer of a replaceable service is used: service id → plugin id. */
  services: { type: 'object', additionalProperties: text(64) },
  /** Which plugin reads a media type that several claim: media type → plugin id. */
  inputs: { type: 'object', additionalProperties: text(64) },
  clients: list(clientSchema, { default: [] }),
  executor_tokens: list(executorTokenSchema, { default: [] }),
  targets: list(targetSchema, { default: [] }),
  credentials: list(credentialSchema, { default: [] }),
  channels: list(channelSchema, { maxItems: 200, default: [] }),
  tool_providers: list(toolProviderSchema, { default: [] }),
  routes: list(routeSchema, { default: [] }),
  admins: list(adminSchema, { default: [] }),
  alert_rules: list(alertRuleSchema, { maxItems: 100, default: [] }),
});

export interface PluginResource {
  readonly use: string;
  readonly optional: boolean;
  readonly init_timeout_ms: number;
  readonly config?: Readonly<Record<string, unknown>>;
}

export interface BailingConfig {
  readonly hub: HubResource;
  readonly plugins: readonly PluginResource[];
  readonly services: Readonly<Record<string, string>>;
  readonly inputs: Readonly<Record<string, string>>;
  readonly clients: readonly ClientResource[];
  readonly executor_tokens: readonly ExecutorTokenResource[];
  readonly targets: readonly TargetResource[];
  readonly credentials: readonly CredentialResource[];
  readonly channels: readonly ChannelResource[];
  readonly tool_providers: readonly ToolProviderResource[];
  readonly routes: readonly RouteResource[];
  readonly admins: readonly AdminResource[];
  readonly alert_rules: readonly AlertRuleResource[];
}
