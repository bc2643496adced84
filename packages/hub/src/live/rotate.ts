import { renameSync, rmSync, writeFileSync } from 'node:fs';
import type { ObjectRow, ObjectStore } from '@bailing/engine/ports';
import { BailingError } from '@bailing/plugin-api';
import { needsReseal, objectKinds, openObject, readKeyRing, sealObject, type KeyRing } from '@bailing/resources';
import { KEY_VARIABLE, keyFileText, newKeyText, readText } from './keys.js';

export interface RotateOptions {
  readonly objects: ObjectStore;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly file: string;
  /** Leaves only the sealing key in the file, once nothing is sealed under another. */
  readonly dropOld: boolean;
}

export interface Rotation {
  /** Id of the key everything is sealed under now. */
  readonly key: string;
  readonly resealed: number;
  /** `made`: a new key; `resumed`: an earlier run had made it; `environment`: the operator chose it. */
  readonly how: 'made' | 'resumed' | 'environment';
  readonly dropped: number;
}

/** A hub that still seals under the old key while this runs is met again, this often. */
const PASSES = 5;

/**
 * Every secret under the newest key. A run that was interrupted is gone on with by the next: what is sealed under an older key is found by its seal.
 * @throws BailingError BAILING_SECRET_KEY_INVALID, BAILING_SECRET_UNREADABLE
 */
export async function rotateSecrets(options: RotateOptions): Promise<Rotation> {
  const { ring, how } = await ringFor(options);
  let resealed = 0;
  for (let pass = 0; pass < PASSES; pass += 1) {
    const behind = await rowsBehind(options.objects, ring);
    for (const row of behind) if (await reseal(row, ring, options.objects)) resealed += 1;
    if (behind.length === 0) return { key: ring.current.id, resealed, how, dropped: options.dropOld ? dropOld(options, how) : 0 };
  }
  throw new BailingError('BAILING_STORE_BUSY', {
    detail: 'Hubs keep sealing under an older key. Give them the new key file or restart them, then rotate again.',
  });
}

async function ringFor({ objects, env, file }: RotateOptions): Promise<{ readonly ring: KeyRing; readonly how: Rotation['how'] }> {
  const given = env[KEY_VARIABLE];
  if (given !== undefined && given !== '') return { ring: readKeyRing(given, KEY_VARIABLE), how: 'environment' };
  const keys = textsOf(file);
  if (keys.length > 0) {
    const ring = readKeyRing(keys.join('\n'), file);
    if ((await rowsBehind(objects, ring)).length > 0) return { ring, how: 'resumed' };
  }
  const next = [newKeyText(), ...keys];
  replace(file, next);
  return { ring: readKeyRing(next.join('\n'), file), how: 'made' };
}

async function rowsBehind(objects: ObjectStore, { current }: KeyRing): Promise<readonly ObjectRow[]> {
  const { changed } = await objects.since(0);
  return changed.filter((row) => {
    const kind = objectKinds.find(({ member }) => member === row.kind);
    return kind !== undefined && needsReseal(kind, row.doc, current.id);
  });
}

async function reseal(row: ObjectRow, ring: KeyRing, objects: ObjectStore): Promise<boolean> {
  const kind = objectKinds.find(({ member }) => member === row.kind);
  if (!kind) return false;
  const value = openObject(kind, row.name, row.doc, () => ring);
  return objects.reseal(
    row,
    sealObject(kind, row.name, value, () => ring),
  );
}

function dropOld({ file }: RotateOptions, how: Rotation['how']): number {
  const keys = textsOf(file);
  if (how === 'environment' || keys.length < 2) return 0;
  replace(file, keys.slice(0, 1));
  return keys.length - 1;
}

function textsOf(file: string): readonly string[] {
  return (readText(file) ?? '')
    .split('\n')
    .map((one) => one.trim())
    .filter((one) => one !== '' && !one.startsWith('#'));
}

/** The file is the old one or the new one, never half of either. */
function replace(file: string, keys: readonly string[]): void {
  const next = `${file}.next`;
  try {
    rmSync(next, { force: true });
    writeFileSync(next, keyFileText(keys), { mode: 0o600, flag: 'wx' });
    renameSync(next, file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new BailingError('BAILING_SECRET_KEY_INVALID', { at: file, detail: `The file cannot be replaced${code ? ` (${code})` : ''}.` });
  }
}
