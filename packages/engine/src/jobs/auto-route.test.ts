import { expect } from 'chai';
import type { AudienceSettings, ClientSettings, RouteSettings, Settings } from '../ports/index.js';
import { autoRoute, type AutoAsk } from './auto-route.js';

const route = (key: string, audience?: AudienceSettings, more: Partial<RouteSettings> = {}) =>
  ({ route_key: key, name: `${key} desk`, enabled: true, ...(audience && { audience }), ...more }) as RouteSettings;
const open = { anonymous: true } as const;
const decide = (routes: readonly RouteSettings[], ask: Partial<AutoAsk> = {}) =>
  autoRoute({ input: 'Please REFUND order 42', metadata: {}, principal: null, ...ask }, { routes: () => routes } as Settings);

describe('Automatic routing (WIRE §2.5)', () => {
  it('takes the route whose keywords and names the request says, in any letter case', () => {
    const { selected, decision } = decide([
      route('refunds', { ...open, keywords: ['refund', 'money back', 'order'] }),
      route('orders', { ...open, auto: true }),
    ]);
    expect(selected).to.equal('refunds');
    expect(decision).to.deep.equal({
      mode: 'auto',
      ok: true,
      candidates: [
        { route_key: 'refunds', score: 21, reasons: ['keywords:refund,order'] },
        { route_key: 'orders', score: 1, reasons: ['auto'] },
      ],
    });
  });

  it('reads keys, texts and numbers of the metadata, at any depth', () => {
    const routes = [route('xa-1', { ...open, keywords: ['invoice_no'] }), route('xb-2', { ...open, keywords: ['4711'] })];
    expect(decide(routes, { metadata: { deep: [{ Invoice_No: true }] } }).selected).to.equal('xa-1');
    expect(decide(routes, { metadata: { n: { m: [4711] } } }).selected).to.equal('xb-2');
  });

  it('says that nothing fits, or that two fit alike', () => {
    expect(decide([route('xa-1'), route('xb-2', { ...open, keywords: ['nothing'] })]).decision).to.deep.equal({
      mode: 'auto',
      ok: false,
      candidates: [],
      error: 'route_auto_no_match',
    });
    const tie = decide([route('xb-2', { ...open, keywords: ['refund'] }), route('xa-1', { ...open, keywords: ['order'] })]);
    expect([tie.selected, tie.decision.error]).to.deep.equal([undefined, 'route_auto_ambiguous']);
    expect(tie.decision.candidates.map(({ route_key: key }) => key)).to.deep.equal(['xa-1', 'xb-2']);
    const first = decide([route('xb-2', { ...open, keywords: ['refund'], priority: 1 }), route('xa-1', { ...open, keywords: ['order'] })]);
    expect(first.selected).to.equal('xb-2');
  });

  it('counts what of the principal a route asks for, and says of every other route why not', () => {
    const principal = { id: 'u', tenant: 't', roles: ['finance'], audience: 'employee', client_app_id: 'crm' };
    const all = { tenants: ['t'], roles: ['finance'], audiences: ['employee'], clients: ['crm'], auto: true };
    const client = { app_id: 'crm', allowed_routes: ['all', 'off', 'plain', 'other', 'low'] } as unknown as ClientSettings;
    const routes = [
      route('all', all),
      route('off', { auto: true }, { enabled: false }),
      route('plain', {}),
      route('closed', { auto: true }),
      route('other', { auto: true, tenants: ['x'] }),
      route('low', { auto: true, priority: -5 }),
    ];
    const { rows, decision } = decide(routes, { principal, client });
    expect(decision.candidates).to.deep.equal([{ route_key: 'all', score: 5, reasons: ['tenant', 'audience', 'role', 'client'] }]);
    expect(rows.map(({ route_key: key, rejected_reason: why }) => [key, why])).to.deep.equal([
      ['all', undefined],
      ['off', 'route_disabled'],
      ['plain', 'auto_not_enabled'],
      ['closed', 'client_not_allowed'],
      ['other', 'tenant_not_allowed'],
      ['low', 'score_zero_or_lower'],
    ]);
    expect(rows.filter(({ selected }) => selected).map(({ route_key: key }) => key)).to.deep.equal(['all']);
  });
});
