import { BailingError, ModelFailure } from '@bailing/plugin-api';
import { MAX_SAID } from './limits.js';

/** An answer that cannot be read. Transient (WIRE §11.1): the job may be tried again. */
export function broken(says: string): ModelFailure {
  return new ModelFailure(`The model endpoint answered in a way that cannot be read: ${says}.`, true);
}

/** Only 429 and ≥ 500 are worth another try; every other status is the provider's last word (WIRE §11.1). */
export function transientStatus(status: number): boolean {
  return status === 429 || status >= 500;
}

/** What a status means. `said` is the provider's own text, already scrubbed. The prefix `LLM <status>` is the contract's. */
export function statusFailure(status: number, said: string): ModelFailure {
  if (status >= 300 && status < 400) {
    const fix = 'redirects are refused; set base_url of the credential to the final address';
    return new ModelFailure(`LLM ${String(status)}: ${fix}.`, false, status);
  }
  return new ModelFailure(`LLM ${String(status)}: ${said || 'the model endpoint gave no reason'}`, transientStatus(status), status);
}

/** Removes secrets and control characters and cuts the text: providers like to quote the key they refuse. */
export type Scrub = (text: string) => string;

export function scrubber(secrets: readonly string[]): Scrub {
  const known = secrets.filter((secret) => secret.length > 0).sort((a, b) => b.length - a.length);
  return (text) => {
    let clean = text.slice(0, 8 * MAX_SAID);
    for (const secret of known) clean = clean.replaceAll(secret, '[secret]');
    clean = clean.replace(/\bBearer\s+\S+/gi, 'Bearer [secret]').replace(/\b(sk|pk|key|gsk|xai)-[\w*.-]{6,}/gi, '[secret]');
    clean = clean.replace(/[\p{Cc}\p{Zs}\p{Zl}\p{Zp}]+/gu, ' ').trim();
    return (clean.length > MAX_SAID ? `${clean.slice(0, MAX_SAID)}…` : clean).toWellFormed();
  };
}

/** The request did not get an answer at all. What the outbound door refuses for good is not tried again. */
export function networkFailure(error: unknown, scrub: Scrub): ModelFailure {
  const refused = findCause(error, (cause): cause is BailingError => cause instanceof BailingError);
  if (refused) {
    // A redirect is refused by the outbound door with its general code; another try would meet it again.
    const forGood = refused.entry.retry === 'never' || /redirect/i.test(refused.detail ?? '');
    return new ModelFailure(scrub(`${refused.message} ${refused.entry.fix}`), !forGood);
  }
  const coded = findCause(
    error,
    (cause): cause is Error & { code: string } => cause instanceof Error && 'code' in cause && isErrno(cause.code),
  );
  const why = coded ? ` (${coded.code})` : '';
  return new ModelFailure(`The model endpoint could not be reached or broke off${why}. Check base_url and the network.`, true);
}

function isErrno(code: unknown): boolean {
  return typeof code === 'string' && /^[A-Z][A-Z0-9_]{2,40}$/.test(code);
}

function findCause<T>(error: unknown, is: (cause: unknown) => cause is T): T | undefined {
  let cause: unknown = error;
  for (let depth = 0; depth < 6 && cause instanceof Error; depth++) {
    if (is(cause)) return cause;
    cause = cause.cause;
  }
  return undefined;
}
