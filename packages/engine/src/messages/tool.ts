import { SEND_FILES, sha256Hex } from '@bailing/contract';
import type { JsonSchema, ToolDefinition } from '@bailing/plugin-api';
import type { Granted } from '../catalog/visible.js';
import type { ProviderSettings, RouteSettings, Settings } from '../ports/index.js';
import { sendProblems } from './arguments.js';
import { BUILTIN, SEND_MESSAGE, SEND_SCOPE } from './message.js';

/** How `send_message` is carried out; the channels this route or request may use. */
export interface SendBinding {
  readonly kind: 'send_message';
  readonly channels: readonly string[];
}

/** What the exit asks of a provider, for the hub's own tools. */
export const BUILTIN_PROVIDER: ProviderSettings = Object.freeze({
  name: BUILTIN,
  enabled: true,
  log_payload: true,
  timeout_ms: 60_000,
  rate_limit_per_min: 0,
  result_max_bytes: 8_192,
  reconcile: 'off',
});

/** The channels a route may send through: named by it (`*` is all), and enabled now. In the order of the configuration. */
export function channelsOf(route: RouteSettings | undefined, settings: Settings): readonly string[] {
  const named = route?.tools?.builtin?.send_message?.channels ?? [];
  if (named.length === 0) return [];
  return settings
    .channels()
    .filter(({ name, enabled }) => enabled && (named.includes('*') || named.includes(name)))
    .map(({ name }) => name);
}

/** `send_message` as a route grants it; null where it grants none. */
export function sendTool(route: RouteSettings | undefined, settings: Settings): Granted | null {
  const channels = channelsOf(route, settings);
  return channels.length === 0 ? null : grantedFor(channels);
}

/** For a message whose shape was checked at its own door, which knows more than a brain's (WIRE §10.5). */
export function sendGrant(channel: string): Granted {
  const granted = grantedFor([channel]);
  return { ...granted, tool: { definition: granted.tool.definition, check: () => [] } };
}

/** `send_message` for these channels. Its schema is checked by hand: what models are shown is the same in other words (WIRE §13.1). */
export function grantedFor(channels: readonly string[]): Granted {
  const definition = definitionOf(channels);
  return {
    tool: { definition, check: (args) => sendProblems(args, channels) },
    source: { provider: BUILTIN, allow: [SEND_SCOPE] },
    revision: { provider: BUILTIN, id: BUILTIN, tools: new Map(), report: { drafts: [], operations: [], document: [] } },
  };
}

function definitionOf(channels: readonly string[]): ToolDefinition<SendBinding> {
  return Object.freeze({
    name: SEND_MESSAGE,
    provider: BUILTIN,
    scope: SEND_SCOPE,
    method: 'SEND',
    path: '/send_message',
    description: 'Sends a message to people through a channel, at once and once. Say in the answer what was sent and to whom.',
    risk: 'low',
    readonly: false,
    idempotent: false,
    sideEffecting: true,
    requiresSubject: false,
    sensitive: false,
    confirmRequired: false,
    confirmWhen: [],
    timeoutMs: 0,
    input: schemaOf(channels),
    binding: Object.freeze({ kind: 'send_message', channels }),
    // Which channels there are is no part of it: the channel of a call is an argument, and asked again when the call runs.
    fingerprint: sha256Hex('builtin send_message 1'),
  });
}

const FILE: JsonSchema = {
  type: 'object',
  properties: {
    name: { type: 'string', maxLength: 120, description: 'Name with its ending, such as report.csv.' },
    content: { type: 'string', description: 'The file itself, where it is text.' },
    url: { type: 'string', description: 'Where to fetch it, instead of content.' },
  },
  required: ['name'],
  additionalProperties: false,
};

function schemaOf(channels: readonly string[]): JsonSchema {
  return {
    type: 'object',
    properties: {
      ...(channels.length > 1 && { channel: { type: 'string', enum: channels, description: 'Which channel.' } }),
      to: { type: 'string', description: 'Ids of the recipients as the channel knows them; several are separated by |.' },
      text: { type: 'string', description: 'The message.' },
      files: { type: 'array', items: FILE, maxItems: SEND_FILES, description: 'Files that go with it.' },
    },
    required: [...(channels.length > 1 ? ['channel'] : []), 'to', 'text'],
    additionalProperties: false,
  };
}
