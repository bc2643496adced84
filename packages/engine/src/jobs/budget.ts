import type { BudgetSettings, ClientSettings, JobStore, RouteSettings } from '../ports/index.js';

/** Why a job is over before it began (WIRE §2.3): the reason word, and what the audit says of it. */
export interface OverBudget {
  readonly reason: `budget_${'route' | 'client'}_${'cost' | 'tokens'}_exceeded`;
  readonly error: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

const HOUR_MS = 3_600_000;
const HOURS = { hour: 1, day: 24, month: 720 } as const;

/**
 * Whether a budget is used up by the jobs of its trailing window (WIRE §18): the route's first, then the client's. What running jobs will cost is
 * not known yet, so a budget may be passed by what is under way.
 */
export async function overBudget(
  route: RouteSettings,
  client: ClientSettings | undefined,
  now: number,
  jobs: Pick<JobStore, 'spent'>,
): Promise<OverBudget | null> {
  const byRoute = await judged('route', route.budget, { route: route.route_key }, now, jobs);
  return byRoute ?? (client ? judged('client', client.budget, { owner: client.app_id }, now, jobs) : null);
}

async function judged(
  scope: 'route' | 'client',
  budget: BudgetSettings | undefined,
  of: Parameters<JobStore['spent']>[0],
  now: number,
  jobs: Pick<JobStore, 'spent'>,
): Promise<OverBudget | null> {
  if (!budget || budget.enabled === false) return null;
  const { hard_cost_usd: cost, hard_tokens: tokens } = budget;
  if (cost === undefined && tokens === undefined) return null;
  const hours = budget.window_hours ?? HOURS[budget.window ?? 'day'];
  const usage = await jobs.spent(of, now - hours * HOUR_MS);
  const over = cost !== undefined && usage.costUsd >= cost ? 'cost' : tokens !== undefined && usage.tokens >= tokens ? 'tokens' : null;
  if (over === null) return null;
  const reason = `budget_${scope}_${over}_exceeded` as const;
  const used = over === 'cost' ? `${String(usage.costUsd)} of ${String(cost)} USD` : `${String(usage.tokens)} of ${String(tokens)} tokens`;
  const error = `${reason}: the budget of this ${scope} is used up (${used} in ${String(hours)} hours); try later or raise it`;
  return { reason, error, detail: { scope, usage: { cost_usd: usage.costUsd, tokens: usage.tokens }, policy: { ...budget, hours } } };
}
