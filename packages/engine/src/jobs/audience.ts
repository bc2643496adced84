import type { AudienceSettings } from '../ports/index.js';
import type { Principal } from './principal.js';

export type AudienceReason =
  | 'route_requires_principal'
  | 'client_not_allowed'
  | 'channel_not_allowed'
  | 'tenant_not_allowed'
  | 'role_not_allowed'
  | 'principal_not_allowed'
  | 'audience_not_allowed';

/** The audience gate of a route (WIRE §2.4). Null passes. An absent or empty list passes, `*` passes. */
export function audienceRefusal(policy: AudienceSettings | undefined, principal: Principal | null): AudienceReason | null {
  if (!policy || Object.keys(policy).length === 0 || policy.enabled === false) return null;
  if (!principal) return policy.anonymous === true ? null : 'route_requires_principal';
  const passes = (list: readonly string[] | undefined, ...values: readonly (string | undefined)[]) =>
    !list || list.length === 0 || list.includes('*') || values.some((value) => value !== undefined && list.includes(value));
  if (!passes(policy.clients, principal.client_app_id)) return 'client_not_allowed';
  if (!passes(policy.channels, principal.channel)) return 'channel_not_allowed';
  if (!passes(policy.tenants, principal.tenant)) return 'tenant_not_allowed';
  if (!passes(policy.roles, ...principal.roles)) return 'role_not_allowed';
  if (!passes(policy.principals, principal.id)) return 'principal_not_allowed';
  if (!passes(policy.audiences, principal.audience)) return 'audience_not_allowed';
  return null;
}
