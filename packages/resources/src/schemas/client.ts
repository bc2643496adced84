import { budgetSchema, type BudgetResource } from './budget.js';
import { flag, integer, list, NAME, object, secret, text } from './words.js';

/** WIRE §18 Client. `token` has at least 16 characters because shorter credentials are never looked up (WIRE §1.1). What it may reach has no default (WIRE §18 names none): everything is asked for as `*`. */
export const clientSchema = object(
  {
    app_id: NAME,
    name: text(128),
    token: secret(16, 128),
    allowed_routes: list(text(128), { minItems: 1 }),
    allowed_channels: list(text(64), { maxItems: 200, default: [] }),
    rate_limit_per_min: integer(0, 1_000_000, 60),
    budget: budgetSchema,
    enabled: flag(true),
    description: text(1_000, 0),
  },
  ['app_id', 'token', 'allowed_routes'],
);

export interface ClientResource {
  readonly app_id: string;
  readonly name: string;
  readonly token: string;
  readonly allowed_routes: readonly string[];
  readonly allowed_channels: readonly string[];
  readonly rate_limit_per_min: number;
  readonly budget?: BudgetResource;
  readonly enabled: boolean;
  readonly description?: string;
}
