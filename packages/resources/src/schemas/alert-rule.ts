import { flag, integer, list, NAME, object, text, URL_2048 } from './words.js';

/** WIRE §18 Alert rule: a channel with recipients, or, an addition, `url`: the alert webhook of WIRE §10.4, one per rule. */
export const alertRuleSchema = object(
  {
    id: NAME,
    event_prefix: { ...(text(64, 0) as object), default: '' },
    url: URL_2048,
    channel: NAME,
    recipients: list(text(191), { minItems: 1, maxItems: 1_000 }),
    cooldown_min: integer(1, 1_440, 60),
    enabled: flag(true),
    description: text(255, 0),
  },
  [],
);

export interface AlertRuleResource {
  /** Made from the rule where the file gives none. */
  readonly id: string;
  readonly event_prefix: string;
  readonly url?: string;
  readonly channel?: string;
  readonly recipients?: readonly string[];
  readonly cooldown_min: number;
  readonly enabled: boolean;
  readonly description?: string;
}
