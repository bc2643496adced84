import http from 'node:http';

export interface ReadEvent {
  readonly event: string;
  readonly id: string | null;
  readonly data: Record<string, unknown>;
}

export interface EventReader {
  readonly headers: http.IncomingHttpHeaders;
  readonly events: readonly ReadEvent[];
  /** Resolves at the first event of this name, among those that came already or come later. */
  until(event: string): Promise<ReadEvent>;
  /** Resolves when the server ended the answer. */
  readonly ended: Promise<void>;
  /** Stops taking bytes, and goes on. */
  pause(): void;
  resume(): void;
  close(): void;
}

/** Reads server-sent events of a real server. */
export function readEvents(port: number, path: string, headers: Readonly<Record<string, string>>): Promise<EventReader> {
  return new Promise((resolve, reject) => {
    const request = http.get({ host: '127.0.0.1', port, path, headers, agent: false }, (response) => {
      const events: ReadEvent[] = [];
      const waiting: { readonly event: string; readonly tell: (found: ReadEvent) => void }[] = [];
      let rest = '';
      response.setEncoding('utf8');
      response.on('data', (text: string) => {
        const blocks = (rest + text).split('\n\n');
        rest = blocks.pop() ?? '';
        for (const block of blocks) {
          const read = eventOf(block);
          events.push(read);
          for (const one of waiting) if (one.event === read.event) one.tell(read);
        }
      });
      const ended = new Promise<void>((done) => response.once('close', done));
      response.on('error', () => undefined);
      const until = (event: string): Promise<ReadEvent> =>
        new Promise((tell) => {
          const found = events.find((one) => one.event === event);
          if (found) tell(found);
          else waiting.push({ event, tell });
        });
      const reader = { headers: response.headers, events, until, ended };
      resolve({ ...reader, pause: () => void response.pause(), resume: () => void response.resume(), close: () => void request.destroy() });
    });
    request.once('error', reject);
  });
}

function eventOf(block: string): ReadEvent {
  const field = (name: string) =>
    block
      .split('\n')
      .find((line) => line.startsWith(`${name}: `))
      ?.slice(name.length + 2);
  return { event: field('event') ?? '', id: field('id') ?? null, data: JSON.parse(field('data') ?? '{}') as Record<string, unknown> };
}
