declare const carries: unique symbol;

/** Names a service by id and version (`http/1`); the type says what it is. */
export interface ServiceRef<T> {
  readonly kind: 'service';
  readonly id: string;
  /** Covariant, so that any ref fits where a plugin lists what it needs. */
  readonly [carries]?: () => T;
}

/** How the contributions of several plugins to one point combine (DESIGN §3). */
export type Combine = 'kind' | 'strictest' | 'all-or-none' | 'union' | 'ordered' | 'match' | 'tap';

/** Names an extension point by id and version (`gate/1`). */
export interface Point<T> {
  readonly kind: 'point';
  readonly id: string;
  readonly combine: Combine;
  /** What a contribution must be able to do; checked at boot for authors without a compiler. */
  readonly methods: readonly string[];
  readonly [carries]?: () => T;
}

type MethodOf<T> = { [K in keyof T]-?: T[K] extends (...args: never) => unknown ? K : never }[keyof T] & string;

const SHAPE = /^[a-z][a-z0-9-]*\/[1-9][0-9]*$/;

/** `id` is `<name>/<version>`. */
export function defineService<T>(id: string): ServiceRef<T> {
  if (!SHAPE.test(id)) throw new TypeError(`a service id looks like "name/1", not ${JSON.stringify(id)}`);
  return Object.freeze({ kind: 'service', id });
}

export function definePoint<T>(id: string, combine: Combine, methods: readonly MethodOf<T>[] = []): Point<T> {
  if (!SHAPE.test(id)) throw new TypeError(`a point id looks like "name/1", not ${JSON.stringify(id)}`);
  return Object.freeze({ kind: 'point', id, combine, methods: Object.freeze([...methods]) });
}
