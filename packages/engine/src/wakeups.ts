import { EventEmitter } from 'node:events';
import type { Wakeups } from './ports/index.js';

/** Wake-ups inside one process. Bounded by who waits: a notify nobody waits for is forgotten. */
export function createWakeups(): Wakeups {
  const emitter = new EventEmitter().setMaxListeners(0);
  return {
    notify: (topic) => void emitter.emit(topic),
    // One wait over all topics: a listener on the signal for each of them would be a leak in the eyes of Node, which says so on stderr.
    wait: (topic, signal, maxMs) =>
      new Promise((resolve) => {
        if (signal.aborted) {
          resolve();
          return;
        }
        const topics = typeof topic === 'string' ? [topic] : topic;
        const done = () => {
          clearTimeout(timer);
          for (const one of topics) emitter.off(one, done);
          signal.removeEventListener('abort', done);
          resolve();
        };
        const timer = setTimeout(done, maxMs);
        for (const one of topics) emitter.on(one, done);
        signal.addEventListener('abort', done, { once: true });
      }),
  };
}
