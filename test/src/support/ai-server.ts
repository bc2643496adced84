import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** One request as an OpenAI-compatible endpoint gets it. */
export interface AiRequest {
  readonly path: string;
  readonly authorization: string;
  readonly contentType: string;
  readonly raw: Buffer;
  /** The JSON body, or an empty object. */
  readonly body: {
    readonly model?: string;
    readonly messages?: readonly AiMessage[];
    readonly tools?: readonly { readonly function: { readonly name: string } }[];
  };
}

export interface AiMessage {
  readonly role: string;
  readonly content?: string | readonly Readonly<Record<string, unknown>>[] | null;
}

/** Words, calls, or a bare answer of a status. */
export type AiAnswer =
  | string
  | { readonly calls: readonly { readonly tool: string; readonly arguments: object }[] }
  | { readonly status: number; readonly body: string; readonly type?: string };

export interface AiServer {
  readonly url: string;
  readonly asked: readonly AiRequest[];
  close(): Promise<void>;
}

/** A local OpenAI-compatible endpoint: chat completions as a stream, anything else as `answer` says. */
export async function startAi(answer: (request: AiRequest, nth: number) => AiAnswer | Promise<AiAnswer>): Promise<AiServer> {
  const asked: AiRequest[] = [];
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const raw = Buffer.concat(chunks);
      const contentType = request.headers['content-type'] ?? '';
      const body = contentType.includes('json') ? (JSON.parse(raw.toString()) as AiRequest['body']) : {};
      const one = { path: request.url ?? '', authorization: request.headers.authorization ?? '', contentType, raw, body };
      asked.push(one);
      void Promise.resolve(answer(one, asked.length)).then((said) => write(response, said));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/v1`, asked, close };
}

function write(response: http.ServerResponse, said: AiAnswer): void {
  if (typeof said === 'object' && 'status' in said) {
    response.writeHead(said.status, { 'content-type': said.type ?? 'application/json' }).end(said.body);
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const delta =
    typeof said === 'string'
      ? { role: 'assistant', content: said }
      : {
          tool_calls: said.calls.map((call, index) => ({
            index,
            id: `c${String(index)}`,
            type: 'function',
            function: { name: call.tool, arguments: JSON.stringify(call.arguments) },
          })),
        };
  const chunk = (part: object, finish_reason: string | null) =>
    `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta: part, finish_reason }] })}\n\n`;
  response.end(`${chunk(delta, null)}${chunk({}, typeof said === 'string' ? 'stop' : 'tool_calls')}data: [DONE]\n\n`);
}

export interface MediaServer {
  readonly url: string;
  readonly host: string;
  readonly asked: readonly string[];
  close(): Promise<void>;
}

/** Serves bytes by path; a text is the address of a redirect; what it does not know is 404. */
export async function startMedia(things: Readonly<Record<string, Buffer | string>>): Promise<MediaServer> {
  const asked: string[] = [];
  const server = http.createServer((request, response) => {
    const target = request.url ?? '/';
    asked.push(target);
    const thing = things[target.split('?')[0] ?? ''];
    if (thing === undefined) response.writeHead(404).end('no');
    else if (typeof thing === 'string') response.writeHead(302, { location: thing }).end();
    else response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(thing);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url: `http://${host}`, host, asked, close };
}
