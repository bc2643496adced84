import type { GovernedCall } from '@bailing/plugin-api';
import type { Rule } from './config.js';

/** One thing a rule found, or null. `sure: false` means the argument could not be judged, which is always a deny. */
export interface Found {
  readonly policy: string;
  readonly param: string;
  readonly reason: string;
  readonly sure: boolean;
}

type Args = Readonly<Record<string, unknown>>;

const found = (policy: string, param: string, reason: string, sure = true): Found => ({ policy, param, reason, sure });

/** The value at a dot path through objects. */
export function at(args: Args, param: string): unknown {
  let value: unknown = args;
  for (const name of param.split('.')) {
    if (value === null || typeof value !== 'object' || Array.isArray(value) || !Object.hasOwn(value, name)) return undefined;
    value = (value as Args)[name];
  }
  return value;
}

/** A named tenant must be the subject's own. Without a tenant in the subject, any named tenant is another's. */
export function crossTenant({ params, separator }: NonNullable<Rule['tenant']>, call: GovernedCall): Found | null {
  const cut = call.subject.indexOf(separator);
  const own = cut > 0 ? call.subject.slice(0, cut) : null;
  for (const param of params) {
    const value = at(call.args, param);
    if (value === undefined || value === null) continue;
    const named = Array.isArray(value) ? (value as readonly unknown[]) : [value];
    if (!named.every((one) => typeof one === 'string' || typeof one === 'number'))
      return found('cross_tenant', param, 'the tenant argument is not a plain value', false);
    if (own === null || named.some((one) => String(one) !== own))
      return found('cross_tenant', param, `${param} names a tenant other than the subject's`);
  }
  return null;
}

export function sensitiveField({ params }: NonNullable<Rule['sensitive']>, call: GovernedCall): Found | null {
  const wanted = new Set(params);
  const hit = firstMember(call.args, '', wanted, 0);
  return hit === null ? null : found('sensitive_field', hit, `${hit} is a sensitive field`);
}

function firstMember(value: unknown, path: string, wanted: ReadonlySet<string>, depth: number): string | null {
  if (value === null || typeof value !== 'object' || depth > 128) return null;
  for (const [name, member] of Object.entries(value)) {
    const here = Array.isArray(value) ? path : path === '' ? name : `${path}.${name}`;
    if (!Array.isArray(value) && member !== null && (wanted.has(name) || wanted.has(here))) return here;
    const below = firstMember(member, here, wanted, depth + 1);
    if (below !== null) return below;
  }
  return null;
}

export function affectedCount({ params, above }: NonNullable<Rule['count']>, call: GovernedCall): Found | null {
  for (const param of params) {
    const value = at(call.args, param);
    if (value === undefined || value === null) continue;
    const count = Array.isArray(value) ? value.length : value;
    if (typeof count !== 'number') return found('affected_count', param, `${param} is neither a number nor a list`, false);
    if (count > above) return found('affected_count', param, `${param} affects ${String(count)}, more than ${String(above)}`);
  }
  return null;
}

export function largeAmount({ params, above }: NonNullable<Rule['amount']>, call: GovernedCall): Found | null {
  for (const param of params) {
    const value = at(call.args, param);
    if (value === undefined || value === null) continue;
    if (typeof value !== 'number') return found('amount', param, `${param} is not a number`, false);
    if (Math.abs(value) > above) return found('amount', param, `${param} is above ${String(above)}`);
  }
  return null;
}

/** Mail addresses and URLs whose domain is not one of the house's own, or below one. What is neither is outside. */
export function externalDelivery({ params, inside }: NonNullable<Rule['external']>, call: GovernedCall): Found | null {
  const own = inside.map((domain) => domain.toLowerCase());
  for (const param of params) {
    const value = at(call.args, param);
    if (value === undefined || value === null) continue;
    const list = Array.isArray(value) ? (value as readonly unknown[]) : [value];
    if (!list.every((one) => typeof one === 'string')) return found('external_message', param, `${param} is not an address`, false);
    const addresses = list.flatMap((one) => one.split(/[,;|\s]+/)).filter((one) => one !== '');
    if (addresses.some((address) => !isInside(address, own))) return found('external_message', param, `${param} leaves the house`);
  }
  return null;
}

function isInside(address: string, own: readonly string[]): boolean {
  const domain = domainOf(address);
  return domain !== null && own.some((one) => domain === one || domain.endsWith(`.${one}`));
}

function domainOf(address: string): string | null {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(address)) {
    try {
      return new URL(address).hostname.toLowerCase();
    } catch {
      return null;
    }
  }
  const sign = address.lastIndexOf('@');
  return sign > 0
    ? address
        .slice(sign + 1)
        .replace(/>$/, '')
        .toLowerCase()
    : null;
}
