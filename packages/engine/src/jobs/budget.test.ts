import { expect } from 'chai';
import type { BudgetSettings, ClientSettings, RouteSettings } from '../ports/index.js';
import { overBudget } from './budget.js';

const NOW = 1_764_500_000_000;
const HOUR = 3_600_000;

describe('Budgets (WIRE §18)', () => {
  const asked: unknown[] = [];
  const jobs = {
    spent: (of: object, since: number) => {
      asked.push([of, (NOW - since) / HOUR]);
      return Promise.resolve({ tokens: 1_000, costUsd: 2.5 });
    },
  };
  const judge = (route?: BudgetSettings, client?: BudgetSettings) =>
    overBudget(
      { route_key: 'r', ...(route && { budget: route }) } as RouteSettings,
      { app_id: 'c', ...(client && { budget: client }) } as ClientSettings,
      NOW,
      jobs,
    );
  beforeEach(() => void asked.splice(0));

  it('are used up when their limit is reached, the route before the client, cost before tokens', async () => {
    expect((await judge({ hard_tokens: 1_000, hard_cost_usd: 2.5 }))?.reason).to.equal('budget_route_cost_exceeded');
    expect((await judge({ hard_tokens: 1_000, hard_cost_usd: 2.6 }))?.reason).to.equal('budget_route_tokens_exceeded');
    expect((await judge({ hard_tokens: 1_001 }, { hard_tokens: 10 }))?.reason).to.equal('budget_client_tokens_exceeded');
    expect((await judge(undefined, { hard_cost_usd: 1 }))?.reason).to.equal('budget_client_cost_exceeded');
    expect(await judge({ hard_tokens: 1_001 }, { hard_cost_usd: 3 })).to.equal(null);
  });

  it('look at the window they name', async () => {
    for (const budget of [{}, { window: 'hour' }, { window: 'month' }, { window: 'hour', window_hours: 7 }] as const)
      await judge({ hard_tokens: 9_999, ...budget });
    expect(asked.map((one) => (one as unknown[])[1])).to.deep.equal([24, 1, 720, 7]);
  });

  it('ask nothing where they are off or without a limit', async () => {
    expect(await judge({ enabled: false, hard_tokens: 1 }, {})).to.equal(null);
    expect(asked).to.deep.equal([]);
  });
});
