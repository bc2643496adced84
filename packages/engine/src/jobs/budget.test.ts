import { expect } from 'chai';
import type { BudgetSettings, ClientSettings, RouteSettings } from '../ports/index.js';
import { judgeBudgets } from './budget.js';

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
  const judged = (route?: BudgetSettings, client?: BudgetSettings) =>
    judgeBudgets(
      { route_key: 'r', ...(route && { budget: route }) } as RouteSettings,
      { app_id: 'c', ...(client && { budget: client }) } as ClientSettings,
      NOW,
      jobs,
    );
  const judge = async (route?: BudgetSettings, client?: BudgetSettings) => (await judged(route, client)).over;
  beforeEach(() => void asked.splice(0));

  it('are used up when their limit is reached, the route before the client, cost before tokens', async () => {
    expect((await judge({ hard_tokens: 1_000, hard_cost_usd: 2.5 }))?.reason).to.equal('budget_route_cost_exceeded');
    expect((await judge({ hard_tokens: 1_000, hard_cost_usd: 2.6 }))?.reason).to.equal('budget_route_tokens_exceeded');
    expect((await judge({ hard_tokens: 1_001 }, { hard_tokens: 10 }))?.reason).to.equal('budget_client_tokens_exceeded');
    expect((await judge(undefined, { hard_cost_usd: 1 }))?.reason).to.equal('budget_client_cost_exceeded');
    expect(await judge({ hard_tokens: 1_001 }, { hard_cost_usd: 3 })).to.equal(null);
  });

  it('have soft limits that refuse nothing and are told, of the route and of the client', async () => {
    const { over, near } = await judged({ soft_tokens: 1_000, hard_tokens: 2_000 }, { soft_cost_usd: 2 });
    expect(over).to.equal(null);
    expect(near.map(({ key }) => key)).to.deep.equal(['budget_soft_route_r', 'budget_soft_client_c']);
    expect(near[0]?.message).to.equal('The soft limit of the route r is reached: 1000 of 1000 tokens in 24 hours. Its jobs go on.');
    expect((await judged({ soft_tokens: 1_001 }, { soft_cost_usd: 3 })).near).to.deep.equal([]);
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
