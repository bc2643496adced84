import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { BailingError } from '@bailing/plugin-api';
import { readKeyRing, type KeyRing } from '@bailing/resources';

export const KEY_VARIABLE = 'BAILING_SECRET_KEY';

export interface KeysOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** `hub.secret_key_file`, resolved. */
  readonly file: string;
  /** Told once, when a key file is made. */
  readonly made?: (file: string) => void;
}

/** Where the keys of secrets at rest come from: the environment, else a file of the owner's alone. Read when first needed. */
export class Keys {
  private ring: KeyRing | undefined;

  constructor(private readonly options: KeysOptions) {}

  /** For opening what is sealed. @throws BailingError BAILING_SECRET_UNREADABLE where this hub has no key at all */
  opening(): KeyRing {
    const ring = (this.ring ??= this.read());
    if (ring) return ring;
    throw new BailingError('BAILING_SECRET_UNREADABLE', {
      at: this.options.file,
      detail: `There is neither ${KEY_VARIABLE} nor this key file, and the database holds sealed secrets.`,
    });
  }

  /** For sealing: makes the key file where nothing names a key. @throws BailingError BAILING_SECRET_KEY_INVALID */
  sealing(): KeyRing {
    return (this.ring ??= this.read() ?? this.make());
  }

  /** Another process may have rotated the file. */
  forget(): void {
    this.ring = undefined;
  }

  /** @throws BailingError BAILING_SECRET_KEY_INVALID */
  private read(): KeyRing | undefined {
    const given = this.options.env[KEY_VARIABLE];
    if (given !== undefined && given !== '') return readKeyRing(given, KEY_VARIABLE);
    const text = readText(this.options.file);
    return text === null ? undefined : readKeyRing(text, this.options.file);
  }

  /** Two processes that start together agree: one makes the file, the other reads it. */
  private make(): KeyRing {
    const { file } = this.options;
    try {
      mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
      writeFileSync(file, keyFileText([newKeyText()]), { mode: 0o600, flag: 'wx' });
      this.options.made?.(file);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw unusable(file, error);
    }
    const ring = this.read();
    if (!ring) throw unusable(file, undefined);
    return ring;
  }
}

export function newKeyText(): string {
  return randomBytes(32).toString('base64url');
}

/** The text of a key file: the sealing key first. */
export function keyFileText(keys: readonly string[]): string {
  return `# Keys of the secrets in Bailing's database, the sealing one first. Without them those secrets are lost: back this file up.\n${keys.join('\n')}\n`;
}

/** Null where there is no such file. @throws BailingError BAILING_SECRET_KEY_INVALID where it cannot be read */
export function readText(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw unusable(file, error);
  }
}

function unusable(file: string, error: unknown): BailingError {
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  return new BailingError('BAILING_SECRET_KEY_INVALID', {
    at: file,
    detail: `The file cannot be read or made${code ? ` (${code})` : ''}.`,
  });
}
