import assert from 'node:assert/strict';
import { Socket } from 'node:net';

/** Rejects where `work` takes longer than `ms` milliseconds. */
export async function within<T>(ms: number, work: T | Promise<T>, what: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new assert.AssertionError({ message: `${what} took longer than ${ms} ms` })), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Rejects where `work` opens a connection or uses the global fetch. Both are put back before it returns. */
export async function withoutNetwork<T>(work: () => Promise<T>): Promise<T> {
  const tried: string[] = [];
  const connect = Object.getOwnPropertyDescriptor(Socket.prototype, 'connect');
  const { fetch } = globalThis;
  Socket.prototype.connect = function (this: Socket): Socket {
    tried.push('opened a connection');
    return this.destroy(new Error('a plugin opens no connections'));
  };
  globalThis.fetch = () => {
    tried.push('used the global fetch');
    return Promise.reject(new Error('a plugin uses no global fetch'));
  };
  try {
    const made = await work();
    assert.deepEqual(tried, [], 'a plugin reaches the network only through services.http');
    return made;
  } finally {
    if (connect) Object.defineProperty(Socket.prototype, 'connect', connect);
    globalThis.fetch = fetch;
  }
}

/** Rejects where `work` changes the thing it is given, which comes unfrozen for once. */
export async function unchanged<V>(value: V, work: (value: V) => unknown): Promise<void> {
  const given = structuredClone(value);
  await Promise.resolve(work(given));
  assert.deepEqual(given, value, 'what it is given must not be changed');
}

export function assertText(value: unknown, what: string, max: number): asserts value is string {
  assert.equal(typeof value, 'string', `${what} must be text`);
  const { length } = value as string;
  assert.ok(length > 0 && length <= max, `${what} must have 1 to ${max} characters`);
}
