import { expect } from 'chai';
import type { RouteSettings } from '../ports/index.js';
import { audienceRefusal } from './audience.js';
import { principalOf } from './principal.js';
import { sessionOf } from './session.js';

describe('principal (WIRE §2.4)', () => {
  const of = (metadata: object) => principalOf(metadata as Record<string, unknown>, 'crm', 'crm');

  it('reads the first object of principal, subject, operator', () => {
    expect(of({ subject: { uid: 'u', org_id: 7, role: 'a, b', kind: 'employee' } })).to.deep.equal({
      id: 'u',
      tenant: '7',
      roles: ['a', 'b'],
      audience: 'employee',
      channel: 'crm',
      client_app_id: 'crm',
    });
  });

  it('reads flat members where there is no object, and nothing where there is no id', () => {
    expect(of({ operator_id: ' u ', roles: ['x', 3, {}, ''] }))
      .to.include({ id: 'u' })
      .and.deep.include({ roles: ['x', '3'] });
    expect(of({ principal: 'p' })).to.include({ id: 'p' });
    expect(of({ principal: {} })).to.equal(null);
    expect(of({ uid: true })).to.equal(null);
  });

  it('cuts to the contract lengths', () => {
    expect(of({ uid: 'x'.repeat(300) })?.id).to.have.length(128);
  });
});

describe('audience gate (WIRE §2.4)', () => {
  const principal = { id: 'u', tenant: 't', roles: ['finance'], audience: 'employee', channel: 'crm', client_app_id: 'crm' };

  it('passes without a policy and asks for a principal with one', () => {
    expect(audienceRefusal(undefined, null)).to.equal(null);
    expect(audienceRefusal({ enabled: false, tenants: ['x'] }, null)).to.equal(null);
    expect(audienceRefusal({ tenants: ['t'] }, null)).to.equal('route_requires_principal');
    expect(audienceRefusal({ tenants: ['t'], anonymous: true }, null)).to.equal(null);
  });

  it('names the first list that refuses, in the contract order', () => {
    expect(audienceRefusal({ tenants: ['t'], roles: ['*'], principals: [], audiences: ['employee'] }, principal)).to.equal(null);
    expect(audienceRefusal({ clients: ['other'], roles: ['x'] }, principal)).to.equal('client_not_allowed');
    expect(audienceRefusal({ channels: ['other'] }, principal)).to.equal('channel_not_allowed');
    expect(audienceRefusal({ tenants: ['other'] }, principal)).to.equal('tenant_not_allowed');
    expect(audienceRefusal({ roles: ['x'] }, principal)).to.equal('role_not_allowed');
    expect(audienceRefusal({ principals: ['x'] }, principal)).to.equal('principal_not_allowed');
    expect(audienceRefusal({ audiences: ['x'] }, principal)).to.equal('audience_not_allowed');
  });
});

describe('session (WIRE §2.6)', () => {
  const route = (more: Partial<RouteSettings>) => ({ session_policy: 'new', ...more }) as RouteSettings;

  it('is fresh, fixed or passed through', () => {
    expect(sessionOf(route({}), {})).to.include({ isContinue: false });
    const fixed = sessionOf(route({ session_policy: 'fixed', session_fixed_id: 'f' }), {});
    expect(fixed).to.deep.equal({ id: 'f', isContinue: true, scope: '__fixed__' });
    expect(sessionOf(route({ session_policy: 'fixed' }), {})).to.include({ id: '__singleton__', scope: '__singleton__' });
    expect(sessionOf(route({ session_policy: 'passthrough' }), { session_id: 's' })).to.deep.equal({ id: 's', isContinue: true });
    expect(sessionOf(route({ session_policy: 'passthrough' }), {}))
      .to.include({ isContinue: false })
      .and.not.have.property('scope');
  });

  it('belongs to a thread per key, and to none where the key is missing', () => {
    const keyed = route({ session_policy: 'per_key', session_key_field: 'chat' });
    expect(sessionOf(keyed, { chat: 7 })).to.include({ isContinue: false, scope: '7', keepsSession: true });
    expect(sessionOf(keyed, { chat: 'x'.repeat(500) }).scope).to.have.length(191);
    for (const chat of ['', null, {}, undefined]) expect(sessionOf(keyed, { chat })).to.not.have.property('scope');
    expect(sessionOf(keyed, JSON.parse('{"__proto__":"x"}') as object as Record<string, unknown>)).to.not.have.property('scope');
  });
});
