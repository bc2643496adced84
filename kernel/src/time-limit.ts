export type Limited<T> =
  | { readonly is: 'done'; readonly value: T }
  | { readonly is: 'failed'; readonly error: unknown }
  /** `later` tells of a success that came after all; it never rejects. */
  | { readonly is: 'late'; readonly later: Promise<{ readonly value: T } | undefined> };

/**
 * Runs `work` for at most `ms` milliseconds. The signal aborts when the time is over or when `outer` does. Never rejects,
 * and a late failure is never unhandled.
 */
export async function withTimeLimit<T>(
  ms: number,
  work: (signal: AbortSignal) => T | Promise<T>,
  outer?: AbortSignal,
): Promise<Limited<T>> {
  const abort = new AbortController();
  let giveUp = (): void => undefined;
  const over = new Promise<'over'>((resolve) => {
    giveUp = () => {
      abort.abort();
      resolve('over');
    };
  });
  const timer = setTimeout(giveUp, ms);
  outer?.addEventListener('abort', giveUp, { once: true });
  const running = runSafely(work, abort.signal);
  const first = await Promise.race([running, over]);
  clearTimeout(timer);
  outer?.removeEventListener('abort', giveUp);
  if (first !== 'over') return first;
  return { is: 'late', later: running.then((end) => (end.is === 'done' ? { value: end.value } : undefined)) };
}

async function runSafely<T>(
  work: (signal: AbortSignal) => T | Promise<T>,
  signal: AbortSignal,
): Promise<Exclude<Limited<T>, { is: 'late' }>> {
  try {
    return { is: 'done', value: await work(signal) };
  } catch (error) {
    return { is: 'failed', error };
  }
}
