import { BailingError } from '@bailing/plugin-api';
import { addressKind, isAddress } from './address.js';

export interface HostRulesOptions {
  /**
   * Hosts an operator named, as `host` or `host:port`; they may resolve to private and loopback addresses. Link-local and metadata addresses stay
   * refused even for these.
   */
  readonly allowPrivateHosts?: readonly string[];
}

/** Where bytes may go. One object for everything that leaves. */
export interface HostRules {
  /** True where the named host may have a private address. `port` is the effective one. */
  mayBePrivate(hostname: string, port: number): boolean;
  /** True where this resolved or literal address may be connected for this host. */
  admits(address: string, hostname: string, port: number): boolean;
  /** Checks the form of a URL and a literal host before anything is resolved. @throws BailingError BAILING_OUTBOUND_HOST_REFUSED */
  checkUrl(url: URL): void;
}

const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };

/** The port a URL means. */
export function effectivePort(url: { readonly protocol: string; readonly port: string }): number {
  return url.port === '' ? (DEFAULT_PORTS[url.protocol] ?? 0) : Number(url.port);
}

export function hostRefused(hostname: string, why: string): BailingError {
  return new BailingError('BAILING_OUTBOUND_HOST_REFUSED', { detail: `${hostname}: ${why}` });
}

/** @throws BailingError BAILING_CONFIG_INVALID where an entry of the list is not `host` or `host:port` */
export function createHostRules(options: HostRulesOptions = {}): HostRules {
  const allowed = new Set((options.allowPrivateHosts ?? []).map(entryKey));
  const mayBePrivate = (hostname: string, port: number): boolean => {
    const host = hostKey(hostname);
    return allowed.has(host) || allowed.has(`${host}:${port}`);
  };
  const admits = (address: string, hostname: string, port: number): boolean => {
    const kind = addressKind(address);
    return kind === 'public' || (kind === 'private' && mayBePrivate(hostname, port));
  };
  return Object.freeze({ mayBePrivate, admits, checkUrl: (url: URL) => checkUrl(url, admits) });
}

function checkUrl(url: URL, admits: HostRules['admits']): void {
  if (!(url.protocol in DEFAULT_PORTS)) throw hostRefused(url.hostname || 'the address', `the scheme ${url.protocol} is not http or https`);
  if (url.username !== '' || url.password !== '') throw hostRefused(url.hostname, 'credentials inside an address are not sent');
  if (url.hostname === '') throw hostRefused('the address', 'it names no host');
  // The URL parser has turned decimal, octal and hexadecimal spellings into the plain address already.
  if (isAddress(url.hostname) && !admits(url.hostname, url.hostname, effectivePort(url))) {
    throw hostRefused(url.hostname, 'this address is private or reserved and not allowed by name');
  }
}

/** One spelling per host: lower case, no trailing dot, no brackets. */
function hostKey(hostname: string): string {
  return hostname
    .toLowerCase()
    .replace(/\.$/, '')
    .replace(/^\[|\]$/g, '');
}

function entryKey(entry: string): string {
  const text = entry.trim();
  const bare = isAddress(text) && text.includes(':') && !text.startsWith('[') ? `[${text}]` : text;
  if (bare === '' || /[/?#@\s]/.test(bare) || !URL.canParse(`https://${bare}`)) {
    throw new BailingError('BAILING_CONFIG_INVALID', { detail: `${JSON.stringify(entry)} is not a host or host:port.` });
  }
  // https is only a carrier: a port of 443 must not vanish as its default does.
  const port = /:(\d+)$/.exec(bare.replace(/^\[[^\]]*\]/, ''))?.[1];
  const host = hostKey(new URL(`https://${bare}`).hostname);
  return port === undefined ? host : `${host}:${Number(port)}`;
}
