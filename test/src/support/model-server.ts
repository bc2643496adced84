import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** One message as an OpenAI-compatible endpoint gets it. */
export interface ChatMessage {
  readonly role: string;
  readonly content?: string | null;
  readonly tool_calls?: readonly { readonly id: string; readonly function: { readonly name: string; readonly arguments: string } }[];
  readonly tool_call_id?: string;
}

/** What the model does in one turn: calls, or words. */
export type ModelTurn = readonly { readonly tool: string; readonly arguments: object }[] | string;

export interface ModelServer {
  /** Base URL of the API, with its version. */
  readonly url: string;
  readonly host: string;
  /** Messages of every request, in order of arrival. */
  readonly asked: readonly (readonly ChatMessage[])[];
  close(): Promise<void>;
}

/** A local OpenAI-compatible endpoint that streams what `turn` says, for the messages it is sent and the number of the request. */
export async function startModelServer(
  turn: (messages: readonly ChatMessage[], nth: number) => ModelTurn | Promise<ModelTurn>,
): Promise<ModelServer> {
  const asked: (readonly ChatMessage[])[] = [];
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { messages } = JSON.parse(Buffer.concat(chunks).toString()) as { messages: readonly ChatMessage[] };
      asked.push(messages);
      void answer(response, turn(messages, asked.length));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url: `http://${host}/v1`, host, asked, close };
}

async function answer(response: http.ServerResponse, turn: ModelTurn | Promise<ModelTurn>): Promise<void> {
  const said = await turn;
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const send = (delta: object, finish_reason: string | null = null): void => {
    const chunk = {
      id: 'c',
      object: 'chat.completion.chunk',
      created: 1,
      model: 'scripted',
      choices: [{ index: 0, delta, finish_reason }],
    };
    response.write(`data: ${JSON.stringify(chunk)}\n\n`);
  };
  if (typeof said === 'string') send({ role: 'assistant', content: said });
  else {
    for (const [index, call] of said.entries()) {
      const made = { name: call.tool, arguments: JSON.stringify(call.arguments) };
      send({ tool_calls: [{ index, id: `provider-${String(index)}`, type: 'function', function: made }] });
    }
  }
  send({}, typeof said === 'string' ? 'stop' : 'tool_calls');
  response.end('data: [DONE]\n\n');
}
