import { BailingError, type Sockets } from '@bailing/plugin-api';
import { connect, type Socket } from 'node:net';
import { guardedLookup, literalRefusal, peerRefusal } from './hosts/connect.js';
import type { HostRules } from './hosts/rules.js';
import { refusalIn } from './http/request.js';
import { reasonOf } from './send/reason.js';

const DEFAULT_TIMEOUT_MS = 10_000;

/** The `sockets` service: the host rules at the literal, at the lookup and at the connected peer. Whatever fails here has sent nothing. */
export function createSockets({ hosts }: { readonly hosts: HostRules }): Sockets {
  const sockets: Sockets = {
    connect: async ({ host, port, timeoutMs = DEFAULT_TIMEOUT_MS }, signal): Promise<Socket> => {
      const refusal = literalRefusal(hosts, host, port);
      if (refusal) throw refusal;
      const late = AbortSignal.timeout(timeoutMs);
      const socket = connect({ host, port, lookup: guardedLookup(hosts, port), signal: signal ? AbortSignal.any([signal, late]) : late });
      try {
        await new Promise<void>((resolve, reject) => {
          socket.once('connect', resolve);
          socket.once('error', reject);
        });
      } catch (error) {
        socket.destroy();
        const why = late.aborted ? `no connection within ${timeoutMs} ms` : signal?.aborted ? 'the caller gave up' : reasonOf(error);
        throw refusalIn(error) ?? new BailingError('BAILING_OUTBOUND_NOT_CONNECTED', { detail: `${host}:${port}: ${why}.` });
      }
      const stranger = peerRefusal(hosts, socket, host, port);
      if (!stranger) return socket;
      socket.destroy();
      throw stranger;
    },
  };
  return Object.freeze(sockets);
}
