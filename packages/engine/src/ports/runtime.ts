import type { Clock, Ms, SchemaCheck } from '@bailing/plugin-api';

export type { Clock, SchemaCheck };

/** In-process signals between an accepting door and a waiting worker; replicas also poll, slowly. */
export interface Wakeups {
  notify(topic: string): void;
  /** Resolves on the next notify of the topic, or of any of several, on abort, or after `maxMs`. One listener on the signal, however many topics. */
  wait(topic: string | readonly string[], signal: AbortSignal, maxMs: Ms): Promise<void>;
}
