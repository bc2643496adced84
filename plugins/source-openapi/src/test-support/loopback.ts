import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { callFailure } from '@bailing/contract';
import { BailingError, type Http } from '@bailing/plugin-api';

export type Form = 'signed' | 'unsigned' | 'invalid';
export interface Seen {
  readonly form: Form;
  readonly target: string;
  readonly headers: IncomingMessage['headers'];
}
export type Handler = (seen: Seen, response: ServerResponse) => void;

/** A business on loopback that tells the three forms of a spec fetch apart as a verifier does. */
export async function startBusiness(secret: string, handler: Handler): Promise<{ url: string; seen: Seen[]; stop(): Promise<void> }> {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    const one: Seen = { form: formOf(secret, request), target: request.url ?? '', headers: request.headers };
    seen.push(one);
    handler(one, response);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const stop = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise<void>((done) => server.close(() => done()));
  };
  return { url, seen, stop };
}

function formOf(secret: string, request: IncomingMessage): Form {
  const signature = request.headers['x-bailing-signature'];
  const timestamp = request.headers['x-bailing-timestamp'];
  if (signature === undefined && timestamp === undefined) return 'unsigned';
  const call = { timestamp: String(timestamp), method: 'GET', target: request.url ?? '', body: '', onBehalfOf: '', jobId: '' };
  return callFailure(secret, call, String(signature), Date.now()) === null ? 'signed' : 'invalid';
}

/** The http service as its contract says, over the platform's fetch: any status is an answer, no redirects, a byte budget. */
export const realHttp: Http = {
  fetch: globalThis.fetch,
  async request(request, signal) {
    const within = AbortSignal.any([AbortSignal.timeout(request.timeoutMs ?? 10_000), ...(signal ? [signal] : [])]);
    try {
      const answer = await fetch(request.url, { headers: { ...request.headers }, redirect: 'manual', signal: within });
      const chunks: Uint8Array[] = [];
      let bytes = 0;
      for await (const chunk of (answer.body ?? []) as AsyncIterable<Uint8Array>) {
        bytes += chunk.byteLength;
        if (bytes > (request.maxBytes ?? 5_242_880)) throw new BailingError('BAILING_OUTBOUND_TOO_LARGE');
        chunks.push(chunk);
      }
      return { status: answer.status, headers: Object.fromEntries(answer.headers), body: Buffer.concat(chunks) };
    } catch (cause) {
      throw cause instanceof BailingError ? cause : new BailingError('BAILING_OUTBOUND_FAILED', { cause });
    }
  },
};
