import { BailingError, type Log } from '@bailing/plugin-api';

/** A row that a plugin makes something of. */
export interface KindRow {
  readonly member: 'channels' | 'credentials' | 'tool_providers';
  readonly name: string;
  readonly kind: string;
  /** What of the row is handed to the plugin; the whole row where absent. */
  readonly field?: string;
}

/**
 * Whatever a kind has against a row is the row's fault, by name, and never the hub's; what a stranger's error says may hold a secret, and stays out.
 * @throws BailingError BAILING_CONFIG_INVALID
 */
export function openKind<T>({ member, name, kind, field }: KindRow, open: () => T, log?: Log): T {
  try {
    return open();
  } catch (error) {
    if (error instanceof BailingError && error.at?.startsWith(`${member} ${name}, `)) throw error;
    log?.warn('a plugin cannot open a row of the configuration', {
      row: `${member} ${name}`,
      kind,
      error: error instanceof Error ? error.name : typeof error,
    });
    const detail = error instanceof BailingError ? (error.detail ?? error.entry.says) : `The kind ${kind} cannot open it.`;
    throw new BailingError('BAILING_CONFIG_INVALID', { at: `${member} ${name}, ${field ?? 'kind'}`, detail });
  }
}
