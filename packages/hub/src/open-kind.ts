import { BailingError, type Log } from '@bailing/plugin-api';
import { blanker, type Blank } from './blank.js';

/** A row that a plugin makes something of. */
export interface KindRow {
  readonly member: 'channels' | 'credentials' | 'tool_providers';
  readonly name: string;
  readonly kind: string;
  /** What of the row is handed to the plugin; the whole row where absent. */
  readonly field?: string;
  /** What the host will call of what is opened. */
  readonly methods: readonly string[];
  /** Functions that it may have. */
  readonly optional?: readonly string[];
  /** Secrets of the row: whatever is said about it is said without them. */
  readonly secrets?: readonly (string | undefined)[];
}

/**
 * Whatever a kind has against a row is the row's fault, by name, and never the hub's; what a stranger's error says may hold a secret, and stays out.
 * What it opens is judged as well: what the host could not use must not take the place of what works.
 * @throws BailingError BAILING_CONFIG_INVALID
 */
export function openKind<T extends object>(row: KindRow, open: () => T, log?: Log): T {
  const { member, name, kind, field, secrets = [] } = row;
  const blank = blanker(secrets);
  const at = `${member} ${name}, ${field ?? 'kind'}`;
  let wrong: string | null;
  try {
    const opened: unknown = open();
    wrong = unusable(opened, row);
    if (wrong === null) return opened as T;
  } catch (error) {
    log?.warn('a plugin cannot open a row of the configuration', {
      row: `${member} ${name}`,
      kind,
      error: blank(error instanceof Error ? error.name : typeof error),
    });
    if (error instanceof BailingError) throw saidBy(error, row, at, blank);
    throw new BailingError('BAILING_CONFIG_INVALID', { at, detail: `The kind ${kind} cannot open it.` });
  }
  log?.warn('a plugin opened something that cannot be used', { row: `${member} ${name}`, kind });
  throw new BailingError('BAILING_CONFIG_INVALID', { at, detail: `The kind ${kind} cannot open it: ${wrong}` });
}

/** What a kind says in the words of the catalogue is passed on, and where it says it. */
function saidBy(error: BailingError, { member, name }: KindRow, at: string, blank: Blank): BailingError {
  const own = error.at?.startsWith(`${member} ${name}, `) === true;
  const detail = blank(error.detail ?? error.entry.says);
  if (own && detail === error.detail && blank(error.at ?? '') === error.at) return error;
  return new BailingError(own ? error.code : 'BAILING_CONFIG_INVALID', { at: own ? blank(error.at ?? at) : at, detail });
}

/** Why the host cannot use what was opened; null where it can. */
function unusable(opened: unknown, { methods, optional = [] }: KindRow): string | null {
  const needs = `an object with ${methods.join(' and ')}, at once`;
  if (opened === null || typeof opened !== 'object')
    return `its open must give ${needs}, and gave ${opened === null ? 'null' : typeof opened}.`;
  const members = opened as Readonly<Record<string, unknown>>;
  if (typeof members['then'] === 'function') {
    abandon(opened);
    return `its open must give ${needs}, and gave a promise.`;
  }
  const missing = methods.filter((method) => typeof members[method] !== 'function');
  if (missing.length > 0) return `its open must give ${needs}; there is no function ${missing.join(' and no function ')}.`;
  const odd = optional.find((method) => members[method] !== undefined && typeof members[method] !== 'function');
  return odd === undefined ? null : `its open must give ${needs}; ${odd} is no function.`;
}

/** Nobody waits for it: its failure is nobody's, and must not reach the process with what it says; what it opens after all is closed. */
function abandon(promise: unknown): void {
  Promise.resolve(promise)
    .then((late) => (late as { readonly close?: () => unknown } | null | undefined)?.close?.())
    .catch(() => undefined);
}
