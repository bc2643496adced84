import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export const CORP = { corpid: 'ww-tests', secret: 'app-secret-of-the-tests', agentid: '1000002' };

export interface Sent {
  readonly touser: string;
  readonly msgtype: string;
  readonly agentid: number;
  readonly safe: number;
  readonly text?: { readonly content: string };
  readonly textcard?: Readonly<Record<string, string>>;
  readonly image?: { readonly media_id: string };
  readonly file?: { readonly media_id: string };
}

/** Instead of taking a message: an errcode, or `hang-up` after it was taken. */
export type Twist = { readonly errcode: number } | 'hang-up';

export interface WecomServer {
  /** What a row names as `base_url`. */
  readonly url: string;
  readonly got: Sent[];
  readonly media: { readonly type: string; readonly name: string; readonly bytes: string }[];
  /** Tokens handed out; only the last one is good. */
  readonly tokens: string[];
  /** For the next messages; taken where there are none left. */
  readonly twists: Twist[];
  /** How long a token takes, in milliseconds. */
  tokenMs: number;
  /** How long a token is said to be good, in seconds. */
  expiresIn: number;
  /** errcode of the next uploads; 0 where there are none left. */
  readonly uploads: number[];
  /** Users nobody knows. */
  unknown: readonly string[];
  close(): Promise<void>;
}

/** The part of the WeCom API that sends, on loopback, as WIRE §13.3 describes it. */
export async function startWecom(): Promise<WecomServer> {
  const server = createServer((request, response) => void answer(request, response));
  const state = { got: [], media: [], tokens: [], twists: [], uploads: [], tokenMs: 0, expiresIn: 7_200, unknown: [] } as Omit<
    WecomServer,
    'url' | 'close'
  >;
  const say = (response: ServerResponse, said: object) => void response.end(JSON.stringify({ errmsg: 'x', ...said }));

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://x');
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const body = Buffer.concat(parts);
    if (url.pathname === '/cgi-bin/gettoken') return token(url, response);
    if (url.searchParams.get('access_token') !== state.tokens.at(-1)) return say(response, { errcode: 40014 });
    if (url.pathname === '/cgi-bin/media/upload') return upload(url, request, body, response);
    if (url.pathname !== '/cgi-bin/message/send' || request.method !== 'POST') return void response.writeHead(404).end();
    const twist = state.twists.shift();
    if (twist !== undefined && twist !== 'hang-up') return say(response, twist);
    const message = JSON.parse(body.toString('utf8')) as Sent;
    state.got.push(message);
    if (twist === 'hang-up') return void request.socket.destroy();
    const invalid = message.touser.split('|').filter((one) => state.unknown.includes(one));
    say(response, { errcode: 0, ...(invalid.length > 0 && { invaliduser: invalid.join('|') }), msgid: 'm' });
  }

  async function token(url: URL, response: ServerResponse): Promise<void> {
    const fits = url.searchParams.get('corpid') === CORP.corpid && url.searchParams.get('corpsecret') === CORP.secret;
    if (!fits) return say(response, { errcode: 40001 });
    await new Promise((resolve) => setTimeout(resolve, state.tokenMs));
    state.tokens.push(`token-${String(state.tokens.length + 1)}`);
    say(response, { errcode: 0, access_token: state.tokens.at(-1), expires_in: state.expiresIn });
  }

  async function upload(url: URL, request: IncomingMessage, body: Buffer, response: ServerResponse): Promise<void> {
    const errcode = state.uploads.shift() ?? 0;
    if (errcode !== 0) return say(response, { errcode });
    const form = await new Response(new Uint8Array(body), {
      headers: { 'content-type': request.headers['content-type'] ?? '' },
    }).formData();
    const file = form.get('media') as File | null;
    if (!file) return say(response, { errcode: 41005 });
    state.media.push({ type: url.searchParams.get('type') ?? '', name: file.name, bytes: await file.text() });
    say(response, { errcode: 0, type: 'file', media_id: `media-${String(state.media.length)}` });
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/cgi-bin`;
  const close = (): Promise<void> => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(() => resolve()));
  };
  return Object.assign(state, { url, close });
}
