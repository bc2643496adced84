import { flag, integer, NAME, object, text } from './words.js';

/** WIRE §18 Channel. `config` belongs to the kind, whose plugin checks it; it may hold secrets. */
export const channelSchema = object(
  {
    name: NAME,
    kind: { type: 'string', pattern: '^[a-z][a-z0-9-]{0,63}$' },
    config: { type: 'object', writeOnly: true, default: {} },
    timeout_ms: integer(1_000, 600_000, 60_000),
    enabled: flag(true),
    description: text(1_000, 0),
  },
  ['name', 'kind'],
);

export interface ChannelResource {
  readonly name: string;
  readonly kind: string;
  readonly config: Readonly<Record<string, unknown>>;
  /** One whole message, with all its parts. */
  readonly timeout_ms: number;
  readonly enabled: boolean;
  readonly description?: string;
}
