import type { Log } from '@bailing/plugin-api';
import type { Context } from 'koa';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { frame } from './event-frames.js';

/** One server-sent event after the other, never faster than they are read. */
export interface EventSink {
  /** Resolves when the reader can take more. False: nobody reads any more, or the server stops. */
  send(event: string, data: unknown): Promise<boolean>;
  /** The same for events that are encoded already, one or more of them. */
  write(frames: Uint8Array): Promise<boolean>;
}

export type EventStream = (sink: EventSink, signal: AbortSignal) => Promise<void>;

/** WIRE §14.2. */
const HEADERS: Readonly<Record<string, string>> = Object.freeze({
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
  'x-content-type-options': 'nosniff',
});

/** Answers with a stream of events; it ends when `stream` does, when the reader is gone, or when the server stops. */
export async function sendEvents(ctx: Context, stream: EventStream, signal: AbortSignal, log: Log): Promise<void> {
  const { res } = ctx;
  ctx.respond = false;
  res.writeHead(200, HEADERS);
  res.flushHeaders();
  try {
    await stream(
      {
        send: (event, data) => send(res, signal, frame(event, data)),
        write: (frames) => send(res, signal, frames),
      },
      signal,
    );
    res.end();
  } catch (error) {
    log.error('a stream of events broke off', { path: ctx.path.slice(0, 256), error: String(error) });
    res.destroy();
  }
}

/** A reader that takes nothing for so long is gone. */
const STUCK_MS = 30_000;

/** A reader that takes nothing holds one piece of events and the socket's own buffer, no more; after a while it is dropped and may come back. */
async function send(res: ServerResponse, signal: AbortSignal, bytes: string | Uint8Array): Promise<boolean> {
  if (signal.aborted || res.destroyed) return false;
  if (res.write(bytes)) return true;
  try {
    await once(res, 'drain', { signal: AbortSignal.any([signal, AbortSignal.timeout(STUCK_MS)]) });
    return true;
  } catch {
    res.destroy();
    return false;
  }
}
