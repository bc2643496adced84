import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';

/** Cost of new hashes: 2^15 × 8 × 1 takes 32 MiB and some 60 ms. Stored with each hash, so that it can grow. */
const LOG_N = 15;
const R = 8;
const P = 1;
const BYTES = 32;
/** What a stored hash may ask of this process. */
const MAX_LOG_N = 18;
const FORM = /^(?:s1|s2\$(\d{2}),(\d{1,2}),(\d{1,2}))\$([0-9a-f]+)\$([0-9a-f]+)$/;

/** `s2$<log2 N>,<r>,<p>$<salt hex>$<hash hex>` (scrypt). */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const hash = await derive(password, salt, { logN: LOG_N, r: R, p: P }, BYTES);
  return `s2$${String(LOG_N)},${String(R)},${String(P)}$${salt.toString('hex')}$${hash.toString('hex')}`;
}

/** What a check of this hash costs, in a word; undefined for what is no hash. Hashes of one cost take one time. */
export function costOf(stored: string): string | undefined {
  const cost = read(stored)?.cost;
  return cost && `${String(cost.logN)},${String(cost.r)},${String(cost.p)}`;
}

/** What a new hash costs. */
export const NEW_COST = `${String(LOG_N)},${String(R)},${String(P)}`;

/** Takes as long as a check at this cost, and says nothing. */
export async function spendCost(password: string, cost: string): Promise<void> {
  const [logN = LOG_N, r = R, p = P] = cost.split(',').map(Number);
  await derive(password, DUST, { logN, r, p }, BYTES);
}

const DUST = randomBytes(16);

/** Also the older form `s1$<salt hex>$<hash hex>` (WIRE §1.5), made with 2^14 × 8 × 1. False for what is no hash. */
export async function isPassword(password: string, stored: string): Promise<boolean> {
  const found = read(stored);
  return found !== null && timingSafeEqual(await derive(password, found.salt, found.cost, found.expected.length), found.expected);
}

/** Null for what is no hash, or asks too much of this process. */
function read(stored: string): { readonly cost: Cost; readonly salt: Buffer; readonly expected: Buffer } | null {
  const found = FORM.exec(stored);
  if (!found) return null;
  const [, logN = '14', r = '8', p = '1', salt = '', hash = ''] = found;
  const expected = Buffer.from(hash, 'hex');
  const cost = { logN: Number(logN), r: Number(r), p: Number(p) };
  if (cost.logN > MAX_LOG_N || cost.r * cost.p > 64 || cost.r < 1 || cost.p < 1 || expected.length < 16) return null;
  return { cost, salt: Buffer.from(salt, 'hex'), expected };
}

interface Cost {
  readonly logN: number;
  readonly r: number;
  readonly p: number;
}

function derive(password: string, salt: Buffer, { logN, r, p }: Cost, bytes: number): Promise<Buffer> {
  const N = 2 ** logN;
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFKC'), salt, bytes, { N, r, p, maxmem: 256 * N * r }, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });
}
