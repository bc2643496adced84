import { randomBytes } from 'node:crypto';
import { childOf, HEADERS, RECEIVE_BUDGET_BYTES, signCall } from '@bailing/contract';
import {
  BailingError,
  type CallContext,
  type Clock,
  type FrozenCall,
  type HttpBinding,
  type Invoker,
  type Outcome,
  type Ticket,
} from '@bailing/plugin-api';
import { Pool } from 'undici';
import { encodeLiteral } from './freeze/encode.js';
import { freezeCall } from './freeze/freeze.js';
import { utf8Header } from './freeze/headers.js';
import { checkPath } from './freeze/path.js';
import { guardedConnector } from './hosts/connect.js';
import type { HostRules } from './hosts/rules.js';
import { ACCEPT_ENCODING } from './send/body-reader.js';
import { Attempt, lateOutcome } from './send/attempt.js';
import { masked } from './send/mask.js';

export interface HttpInvokerOptions {
  readonly provider: {
    readonly name: string;
    /** Its path is sent before the signed target and never signed (WIRE §6.1). */
    readonly baseUrl: string;
    /** HMAC key; never sent. */
    readonly secret: string;
    /** Milliseconds; a tool's own limit goes first. */
    readonly timeoutMs: number;
  };
  readonly hosts: HostRules;
  readonly clock: Clock;
  /** Connections kept to the provider at most. Default 64. */
  readonly connections?: number;
}

/** The invoker of binding kind `http` for one provider, with its own connections. */
export interface HttpInvoker extends Invoker<HttpBinding> {
  /** Address and headers of a call frozen here, as they go out; what only the ticket brings is not among them. */
  preview(frozen: FrozenCall): { readonly url: string; readonly headers: readonly (readonly [string, string])[] };
  /** Lets calls on their way end within their limits, then closes every connection. */
  close(): Promise<void>;
}

/** What a frozen call keeps for sending: private copies, so nothing changes it after it was shown, hashed and journalled. */
interface Prepared {
  readonly path: string;
  readonly headers: readonly string[];
  readonly body: Buffer;
  readonly subject: string;
  readonly job: string;
}

/** @throws BailingError BAILING_CONFIG_INVALID where the base URL is not a plain http(s) URL */
export function createHttpInvoker(options: HttpInvokerOptions): HttpInvoker {
  return new ProviderInvoker(options);
}

class ProviderInvoker implements HttpInvoker {
  private readonly prepared = new WeakMap<FrozenCall, Prepared>();
  private readonly used = new WeakSet<Ticket>();
  private readonly base: string;
  private readonly pool: Pool;

  constructor(private readonly options: HttpInvokerOptions) {
    const url = readBaseUrl(options.provider.name, options.provider.baseUrl);
    this.base = url.pathname.replace(/\/+$/, '');
    this.pool = new Pool(url.origin, {
      connections: options.connections ?? 64,
      pipelining: 1,
      allowH2: false,
      keepAliveTimeout: 4_000,
      keepAliveMaxTimeout: 60_000,
      maxHeaderSize: 65_536,
      // The attempt's own timer is exact and covers everything; undici's are coarse.
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: guardedConnector(options.hosts, Math.max(1_000, options.provider.timeoutMs)),
    });
  }

  freeze(tool: Parameters<Invoker<HttpBinding>['freeze']>[0], args: Readonly<Record<string, unknown>>, context: CallContext): FrozenCall {
    const timeoutMs = tool.timeoutMs > 0 ? tool.timeoutMs : this.options.provider.timeoutMs;
    const frozen = freezeCall(tool, args, context, timeoutMs);
    this.prepared.set(frozen, {
      path: this.base + readPrefix(tool.binding.prefix) + frozen.target,
      headers: wireHeaders(frozen),
      body: Buffer.from(frozen.body),
      subject: context.subject,
      job: context.job,
    });
    return frozen;
  }

  preview(frozen: FrozenCall): ReturnType<HttpInvoker['preview']> {
    const path = this.prepared.get(frozen)?.path ?? frozen.target;
    return { url: new URL(this.options.provider.baseUrl).origin + path, headers: [...frozen.headers, ...defaultHeaders(frozen)] };
  }

  send(frozen: FrozenCall, ticket: Ticket, context: CallContext, signal: AbortSignal): Promise<Outcome> {
    const prepared = this.prepared.get(frozen);
    const refusal = this.refusal(prepared, ticket, context, signal);
    if (refusal || !prepared) return Promise.resolve(refusal ?? notSent('this call was not frozen here'));
    this.used.add(ticket);
    const { secret } = this.options.provider;
    const { signature, headers } = this.ticketHeaders(frozen, prepared, ticket);
    return new Promise((resolve) => {
      const request = {
        method: frozen.method,
        path: prepared.path,
        headers: [...prepared.headers, ...headers, ...traceHeaders(context)],
        body: prepared.body.length > 0 ? prepared.body : null,
        timeoutMs: frozen.timeoutMs,
        sendBy: ticket.sendBy,
        budget: RECEIVE_BUDGET_BYTES,
      };
      const attempt = new Attempt(request, this.options.clock, signal, (outcome) => {
        if (outcome.is !== 'answered') return resolve(outcome);
        resolve({ ...outcome, answer: { ...outcome.answer, body: masked(outcome.answer.body, signature, secret) } });
      });
      this.pool.dispatch({ method: request.method, path: request.path, headers: request.headers, body: request.body }, attempt);
    });
  }

  async close(): Promise<void> {
    await this.pool.close();
  }

  private refusal(prepared: Prepared | undefined, ticket: Ticket, context: CallContext, signal: AbortSignal): Outcome | null {
    if (this.used.has(ticket)) return notSent('this ticket was used before');
    if (!prepared) return notSent('this call was not frozen here');
    if (prepared.subject !== context.subject || prepared.job !== context.job)
      return notSent('this call was frozen for another job or subject');
    if (signal.aborted) return notSent('the caller gave up');
    return this.options.clock.now() >= ticket.sendBy ? lateOutcome() : null;
  }

  /** Signed with the intend commit's time, in seconds (WIRE §6.3). */
  private ticketHeaders(frozen: FrozenCall, prepared: Prepared, ticket: Ticket): { signature: string; headers: readonly string[] } {
    const timestamp = String(Math.floor(ticket.signAt / 1000));
    const signature = signCall(this.options.provider.secret, {
      timestamp,
      method: frozen.method,
      target: frozen.target,
      body: prepared.body,
      onBehalfOf: prepared.subject,
      jobId: prepared.job,
    });
    const headers = [HEADERS.timestamp, timestamp, HEADERS.signature, signature];
    return { signature, headers: ticket.key === undefined ? headers : [...headers, HEADERS.idempotencyKey, ticket.key] };
  }
}

/** The trigger's trace goes on under a span of this very attempt; not signed, like everything a proxy may add (WIRE §6.2). */
function traceHeaders({ trace }: CallContext): string[] {
  if (!trace) return [];
  const { traceparent, tracestate } = childOf(trace, randomBytes(8).toString('hex'));
  return ['traceparent', traceparent, ...(tracestate === undefined ? [] : ['tracestate', tracestate])];
}

function notSent(why: string): Outcome {
  return { is: 'not-sent', why };
}

/** The frozen headers as bytes: the hub's own as the UTF-8 that is signed, parameters as they are; plus what every request says. */
function wireHeaders(frozen: FrozenCall): readonly string[] {
  const flat: string[] = [];
  for (const [name, value] of frozen.headers) flat.push(name, name.startsWith('X-Bailing-') ? utf8Header(value) : value);
  for (const [name, value] of defaultHeaders(frozen)) flat.push(name, value);
  return flat;
}

function defaultHeaders(frozen: FrozenCall): readonly (readonly [string, string])[] {
  const names = new Set(frozen.headers.map(([name]) => name.toLowerCase()));
  return [
    ...(names.has('accept') ? [] : [['Accept', 'application/json, */*;q=0.8'] as const]),
    ...(names.has('user-agent') ? [] : [['User-Agent', 'bailing'] as const]),
    ['Accept-Encoding', ACCEPT_ENCODING],
  ];
}

function readBaseUrl(provider: string, baseUrl: string): URL {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null;
  const plain = url && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '' && url.search === '' && url.hash === '';
  if (url && plain) return url;
  throw new BailingError('BAILING_CONFIG_INVALID', {
    at: `tool_providers ${provider}, base_url`,
    detail: 'It must be an absolute http or https URL without credentials, query and fragment.',
  });
}

/** An operation's own server prefix, encoded once, without its closing slash. */
function readPrefix(prefix: string | undefined): string {
  const text = (prefix ?? '').replace(/\/+$/, '');
  if (text === '') return '';
  const encoded = encodeLiteral(text, 'path');
  checkPath(encoded);
  return encoded;
}
