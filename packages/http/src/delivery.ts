import type { Log } from '@bailing/plugin-api';
import type { Context } from 'koa';
import type { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Delivery } from './route.js';

/** A reset this soon after the last byte means that nobody read it. */
const RESET_WINDOW_MS = 1_000;

/** Connections whose last answer may not have been read yet, and how to stop watching. */
const watched = new WeakMap<Socket, () => void>();

/** Another request came: whoever sends it has read the answer before. */
export function askedAgain(socket: Socket): void {
  watched.get(socket)?.();
}

/**
 * Watches whether an answer reaches its reader, and tells. False: the reader is gone already and nothing is to be written. A reader that hung up in silence is only seen by the event loop, so two turns pass before the first byte.
 */
export async function watchDelivery(ctx: Context, { delivered, undelivered }: Delivery, log: Log): Promise<boolean> {
  await nextTurn();
  await nextTurn();
  let told = false;
  const lost = (): void => {
    if (told) return;
    told = true;
    undelivered().catch((error: unknown) => log.error('a lost answer could not be taken back', { error: String(error) }));
  };
  const { socket } = ctx.req;
  if (socket.destroyed || ctx.res.destroyed) {
    ctx.respond = false;
    lost();
    return false;
  }
  ctx.res.once('close', () => (ctx.res.writableFinished ? afterwards() : lost()));
  const afterwards = (): void => {
    delivered().catch((error: unknown) => log.error('a job handed over could not be noted as such', { error: String(error) }));
    const onClose = (failed: boolean): void => {
      if (failed) lost();
    };
    const stop = (): void => {
      clearTimeout(timer);
      socket.off('close', onClose);
      if (watched.get(socket) === stop) watched.delete(socket);
    };
    const timer = setTimeout(stop, RESET_WINDOW_MS).unref();
    askedAgain(socket);
    watched.set(socket, stop);
    socket.once('close', onClose);
  };
  return true;
}
