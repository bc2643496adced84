import type { CallContext, Clock, HttpArg, HttpBinding, Ticket, ToolDefinition } from '@bailing/plugin-api';
import { createHostRules, createHttpInvoker, type HttpInvoker } from '../index.js';

export const SECRET = 'bailing-test-secret';
export const SIGNED_AT = 1_718_000_000_000;
export const CONTEXT: CallContext = Object.freeze({ job: 'job-test-001', client: 'crm', subject: '179:1', scope: 'order.read' });

/** A tool with only what sending needs. */
export function toolFor(binding: HttpBinding, timeoutMs = 0): ToolDefinition<HttpBinding> {
  return {
    name: 'a_tool',
    provider: 'shop',
    scope: 'order.read',
    method: binding.method,
    path: binding.path,
    description: '',
    risk: 'low',
    readonly: binding.method === 'GET',
    idempotent: binding.method === 'GET',
    sideEffecting: binding.method !== 'GET',
    requiresSubject: false,
    sensitive: false,
    confirmRequired: false,
    confirmWhen: [],
    timeoutMs,
    input: { type: 'object' },
    binding,
    fingerprint: 'f',
  };
}

/** A binding from short notes: `{ id: 'path', q: 'query' }`. */
export function bindingOf(method: string, path: string, args: Readonly<Record<string, HttpArg['in'] | HttpArg>> = {}): HttpBinding {
  const full = Object.entries(args).map(([name, arg]) => [name, typeof arg === 'string' ? { in: arg, name } : arg] as const);
  return { kind: 'http', method, path, args: Object.fromEntries(full) };
}

/** Stands in for a store: tests of sending need tickets that no store minted. */
export function mint(ticket: { key?: string; signAt?: number; sendBy?: number } = {}): Ticket {
  return { signAt: SIGNED_AT, sendBy: SIGNED_AT + 60_000, ...ticket } as unknown as Ticket;
}

export function clockAt(time = SIGNED_AT): Clock & { time: number } {
  const clock = { time, now: () => clock.time };
  return clock;
}

export function invokerFor(
  origin: string,
  more: { basePath?: string; timeoutMs?: number; clock?: Clock; connections?: number } = {},
): HttpInvoker {
  return createHttpInvoker({
    provider: { name: 'shop', baseUrl: origin + (more.basePath ?? ''), secret: SECRET, timeoutMs: more.timeoutMs ?? 2_000 },
    hosts: createHostRules({ allowPrivateHosts: [new URL(origin).host] }),
    clock: more.clock ?? clockAt(),
    ...(more.connections === undefined ? {} : { connections: more.connections }),
  });
}
