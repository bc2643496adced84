import { EventEmitter } from 'node:events';
import type { Wakeups } from './ports/index.js';

/** Wake-ups inside one process. Bounded by who waits: a notify nobody waits for is forgotten. */
export function createWakeups(): Wakeups {
  const emitter = new EventEmitter().setMaxListeners(0);
  return {
    notify: (topic) => void emitter.emit(topic),
    wait: (topic, signal, maxMs) =>
      new Promise((resolve) => {
        if (signal.aborted) {
          resolve();
          return;
        }
        const done = () => {
          clearTimeout(timer);
          emitter.off(topic, done);
          signal.removeEventListener('abort', done);
          resolve();
        };
        const timer = setTimeout(done, maxMs);
        emitter.once(topic, done);
        signal.addEventListener('abort', done, { once: true });
      }),
  };
}
