import { flag, integer, list, NAME, object, secret, text } from './words.js';

/** WIRE §18 Executor token. Executors poll from outside; their token reaches `/executor/*` only, for these targets. */
export const executorTokenSchema = object(
  {
    name: NAME,
    token: secret(16, 128),
    allowed_targets: list(text(64), { minItems: 1 }),
    enabled: flag(true),
    description: text(1_000, 0),
  },
  ['name', 'token', 'allowed_targets'],
);

export interface ExecutorTokenResource {
  readonly name: string;
  readonly token: string;
  readonly allowed_targets: readonly string[];
  readonly enabled: boolean;
  readonly description?: string;
}

/** WIRE §18 Target. `llm` is built in; targets of your own are claimed by executors. */
export const targetSchema = object(
  {
    name: NAME,
    kind: { type: 'string', enum: ['executor'], default: 'executor' },
    stateless: flag(false),
    timeout_ms: integer(0, 3_600_000, 0),
    enabled: flag(true),
    description: text(1_000, 0),
  },
  ['name'],
);

export interface TargetResource {
  readonly name: string;
  readonly kind: 'executor';
  readonly stateless: boolean;
  readonly timeout_ms: number;
  readonly enabled: boolean;
  readonly description?: string;
}
