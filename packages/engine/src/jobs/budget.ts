import type { BudgetSettings, ClientSettings, JobStore, RouteSettings } from '../ports/index.js';

/** Why a job is over before it began (WIRE §2.3): the reason word, and what the audit says of it. */
export interface OverBudget {
  readonly reason: `budget_${'route' | 'client'}_${'cost' | 'tokens'}_exceeded`;
  readonly error: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** A soft limit that is reached: jobs go on, somebody should hear of it. */
export interface NearBudget {
  /** Of the alert. */
  readonly key: string;
  readonly message: string;
}

export interface Judged {
  readonly over: OverBudget | null;
  readonly near: readonly NearBudget[];
}

const HOUR_MS = 3_600_000;
const HOURS = { hour: 1, day: 24, month: 720 } as const;

type Scope = 'route' | 'client';

/**
 * Whether a budget is used up by the jobs of its trailing window (WIRE §18): the route's first, then the client's. What running jobs will cost is
 * not known yet, so a budget may be passed by what is under way.
 */
export async function judgeBudgets(
  route: RouteSettings,
  client: ClientSettings | undefined,
  now: number,
  jobs: Pick<JobStore, 'spent'>,
): Promise<Judged> {
  const byRoute = await judged('route', route.route_key, route.budget, now, jobs);
  if (byRoute.over || !client) return byRoute;
  const byClient = await judged('client', client.app_id, client.budget, now, jobs);
  return { over: byClient.over, near: [...byRoute.near, ...byClient.near] };
}

async function judged(
  scope: Scope,
  name: string,
  budget: BudgetSettings | undefined,
  now: number,
  jobs: Pick<JobStore, 'spent'>,
): Promise<Judged> {
  const limits = budget && [budget.hard_cost_usd, budget.hard_tokens, budget.soft_cost_usd, budget.soft_tokens];
  if (!budget || budget.enabled === false || limits?.every((limit) => limit === undefined)) return { over: null, near: [] };
  const hours = budget.window_hours ?? HOURS[budget.window ?? 'day'];
  const usage = await jobs.spent(scope === 'route' ? { route: name } : { owner: name }, now - hours * HOUR_MS);
  const used = usedOf(usage, hours);
  const soft = used(budget.soft_cost_usd, budget.soft_tokens);
  const message = soft && `The soft limit of the ${scope} ${name} is reached: ${soft.says}. Its jobs go on.`;
  const near = message ? [{ key: `budget_soft_${scope}_${name}`, message }] : [];
  const hard = used(budget.hard_cost_usd, budget.hard_tokens);
  if (!hard) return { over: null, near };
  const reason = `budget_${scope}_${hard.what}_exceeded` as const;
  const error = `${reason}: the budget of this ${scope} is used up (${hard.says}); try later or raise it`;
  const detail = { scope, usage: { cost_usd: usage.costUsd, tokens: usage.tokens }, policy: { ...budget, hours } };
  return { over: { reason, error, detail }, near };
}

/** Which of two limits is reached, and how it reads; cost before tokens. */
function usedOf(usage: Awaited<ReturnType<JobStore['spent']>>, hours: number) {
  const within = `in ${String(hours)} hours`;
  return (cost: number | undefined, tokens: number | undefined): { readonly what: 'cost' | 'tokens'; readonly says: string } | null => {
    if (cost !== undefined && usage.costUsd >= cost)
      return { what: 'cost', says: `${String(usage.costUsd)} of ${String(cost)} USD ${within}` };
    if (tokens !== undefined && usage.tokens >= tokens)
      return { what: 'tokens', says: `${String(usage.tokens)} of ${String(tokens)} tokens ${within}` };
    return null;
  };
}
