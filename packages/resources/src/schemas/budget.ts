import { flag, integer, object } from './words.js';

/** WIRE §18 `budget` of routes and clients. */
export const budgetSchema = object({
  enabled: flag(true),
  window: { type: 'string', enum: ['hour', 'day', 'month'], default: 'day' },
  window_hours: integer(1, 8_784),
  hard_cost_usd: { type: 'number', exclusiveMinimum: 0 },
  hard_tokens: integer(1, 9_007_199_254_740_991),
  soft_cost_usd: { type: 'number', exclusiveMinimum: 0 },
  soft_tokens: integer(1, 9_007_199_254_740_991),
});

export interface BudgetResource {
  readonly enabled: boolean;
  readonly window: 'hour' | 'day' | 'month';
  readonly window_hours?: number;
  readonly hard_cost_usd?: number;
  readonly hard_tokens?: number;
  readonly soft_cost_usd?: number;
  readonly soft_tokens?: number;
}
