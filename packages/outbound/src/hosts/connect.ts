import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import type { LookupFunction, Socket } from 'node:net';
import { buildConnector } from 'undici';
import { isAddress } from './address.js';
import { hostRefused, type HostRules } from './rules.js';

/** How names are resolved; replaced in tests only. */
export type Resolve = (hostname: string, done: (error: Error | null, addresses: readonly LookupAddress[]) => void) => void;

const systemResolve: Resolve = (hostname, done) => systemLookup(hostname, { all: true, verbatim: true }, done);

/**
 * A `lookup` for net.connect that answers only addresses the rules admit for this host and port: what was checked is what is connected, a second
 * resolution never happens.
 */
export function guardedLookup(rules: HostRules, port: number, resolve: Resolve = systemResolve): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, (error, found) => {
      if (error) return callback(error, []);
      const admitted = found.filter((one) => rules.admits(one.address, hostname, port));
      const first = admitted[0];
      if (!first) return callback(hostRefused(hostname, 'it resolves to no address that may be reached'), []);
      if (options.all === true) return callback(null, admitted);
      callback(null, first.address, first.family);
    });
  };
}

/** Refuses a literal address before connecting. Null where it may be tried. */
export function literalRefusal(rules: HostRules, hostname: string, port: number): Error | null {
  if (!isAddress(hostname) || rules.admits(hostname, hostname, port)) return null;
  return hostRefused(hostname, 'this address is private or reserved and not allowed by name');
}

/** Last look at a connected socket: the peer must be an address the rules admit. */
export function peerRefusal(rules: HostRules, socket: Socket, hostname: string, port: number): Error | null {
  const peer = socket.remoteAddress;
  if (peer !== undefined && rules.admits(peer, hostname, port)) return null;
  return hostRefused(hostname, 'the connected peer is no address that may be reached');
}

/** An undici connector that holds the host rules at the literal, at the lookup and at the connected socket. */
export function guardedConnector(rules: HostRules, connectTimeoutMs: number, resolve?: Resolve): buildConnector.connector {
  const connectors = new Map<number, buildConnector.connector>();
  return (options, callback) => {
    const port = Number(options.port) || (options.protocol === 'https:' ? 443 : 80);
    const refusal = literalRefusal(rules, options.hostname, port);
    if (refusal) return void queueMicrotask(() => callback(refusal, null));
    // One per port: the lookup must know it, and a connector keeps TLS sessions.
    const connect = connectors.get(port) ?? buildConnector({ timeout: connectTimeoutMs, lookup: guardedLookup(rules, port, resolve) });
    connectors.set(port, connect);
    connect(options, (...outcome) => {
      const [error, socket] = outcome;
      if (error) return callback(error, null);
      const late = peerRefusal(rules, socket, options.hostname, port);
      if (!late) return callback(null, socket);
      socket.destroy();
      callback(late, null);
    });
  };
}
