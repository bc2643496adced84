import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runnerOf, runVectors, SDKS, type Run } from './runners.js';
import type { Party } from './vectors.js';

/** A mistake that verifiers really make, as a text substitution in one file of a language's verifier. */
export interface Fault {
  readonly name: FaultName;
  readonly party: Party;
  readonly file: string;
  readonly find: string;
  readonly put: string;
}

export type FaultName =
  'prefix compare' | 'plain compare' | 'decoded path' | 'milliseconds for seconds' | '> for >=' | 'empty secret' | 'truthy authorize';

/** Folder of a party's verifier, seen from the folder of the SDKs, and where its copy goes. */
const HOMES: Readonly<Record<Party, string>> = { node: 'node', python: 'python', php: 'php', hub: '../packages/contract' };

const node = (name: FaultName, file: string, find: string, put: string): Fault => ({
  name,
  party: 'node',
  file: `dist/${file}`,
  find,
  put,
});
const hub = (name: FaultName, file: string, find: string, put: string): Fault => ({ name, party: 'hub', file: `dist/${file}`, find, put });
const php = (name: FaultName, file: string, find: string, put: string): Fault => ({ name, party: 'php', file: `src/${file}`, find, put });
const python = (name: FaultName, file: string, find: string, put: string): Fault => ({
  name,
  party: 'python',
  file: `src/bailing_connect/${file}`,
  find,
  put,
});

const NODE_COMPARE = `timingSafeEqual(hmac(secret, data), Buffer.from(text.slice(7), 'hex'))`;
const HUB_COMPARE = `timingSafeEqual(Buffer.from(expected, 'latin1'), Buffer.from(given, 'latin1'))`;

export const FAULTS: readonly Fault[] = [
  node('prefix compare', 'reasons.js', NODE_COMPARE, `hmac(secret, data).toString('hex').startsWith(text.slice(7, 15))`),
  node('plain compare', 'reasons.js', NODE_COMPARE, `hmac(secret, data).toString('hex') === text.slice(7)`),
  node('decoded path', 'tool-call.js', 'headerBytes(call.pathWithQuery)', `Buffer.from(unescape(String(call.pathWithQuery)), 'latin1')`),
  node('milliseconds for seconds', 'reasons.js', 'Number(text)', '(Number(text) > 1e11 ? Number(text) / 1000 : Number(text))'),
  node('> for >=', 'reasons.js', '< window', '<= window'),
  node('empty secret', 'reasons.js', ` || secret === ''`, ''),
  node('truthy authorize', 'gate.js', 'answer === true', 'answer'),

  python('prefix compare', 'scheme.py', 'same_bytes(signature_of(key, message), given)', 'signature_of(key, message)[:15] == given[:15]'),
  python('plain compare', 'wire_bytes.py', 'hmac.compare_digest(', 'bytes.__eq__('),
  python(
    'decoded path',
    'tool_calls.py',
    'method.upper(), path_with_query',
    'method.upper(), __import__("urllib.parse").parse.unquote_to_bytes(path_with_query)',
  ),
  python('milliseconds for seconds', 'scheme.py', 'int(raw)', '(int(raw) // 1000 if len(raw) == 13 else int(raw))'),
  python('> for >=', 'scheme.py', '< window', '<= window'),
  python('empty secret', 'scheme.py', 'if not key or message is None', 'if key is None or message is None'),
  python('truthy authorize', 'gates.py', 'if answer is not True:', 'if not answer:'),

  php('prefix compare', 'Signature.php', 'hash_equals($right, $given)', 'strncmp($right, $given, 15) === 0'),
  php('plain compare', 'Signature.php', 'hash_equals($right, $given)', '$right === $given'),
  php('decoded path', 'Signature.php', '$pathWithQuery, hash(', 'rawurldecode($pathWithQuery), hash('),
  php('milliseconds for seconds', 'Verify.php', '(float) $text)', '(float) $text / (strlen($text) === 13 ? 1000 : 1))'),
  php('> for >=', 'Verify.php', '< $window', '<= $window'),
  php('empty secret', 'Verify.php', ` || $secret === ''`, ''),
  php('truthy authorize', 'Gate.php', '$answer === true', '$answer'),

  hub('prefix compare', 'signature.js', HUB_COMPARE, 'expected.slice(0, 15) === given.slice(0, 15)'),
  hub('plain compare', 'signature.js', HUB_COMPARE, 'expected === given'),
  hub('decoded path', 'signature.js', 'call.target, sha256Hex', 'unescape(call.target), sha256Hex'),
  hub(
    'milliseconds for seconds',
    'signature.js',
    'Number(timestamp)',
    '(Number(timestamp) > 1e11 ? Number(timestamp) / 1000 : Number(timestamp))',
  ),
  hub('> for >=', 'signature.js', '< window', '<= window'),
  hub('empty secret', 'signature.js', `secret !== '' && `, ''),
];

/** Files that compare a MAC, and the call each must make to do it in constant time (SIGNING 21). */
const CONSTANT_TIME: Readonly<Record<Party, readonly (readonly [string, string])[]>> = {
  node: [
    ['dist/reasons.js', 'timingSafeEqual('],
    ['dist/ticket.js', 'timingSafeEqual('],
  ],
  python: [
    ['src/bailing_connect/wire_bytes.py', 'hmac.compare_digest('],
    ['src/bailing_connect/scheme.py', 'same_bytes('],
    ['src/bailing_connect/tickets.py', 'same_bytes('],
  ],
  php: [
    ['src/Signature.php', 'hash_equals('],
    ['src/Ticket.php', 'hash_equals('],
  ],
  hub: [
    ['dist/signature.js', 'timingSafeEqual('],
    ['dist/ticket.js', 'timingSafeEqual('],
  ],
};

/** Where a verifier's folder compares a MAC without the constant-time call of its language. No vector can see this; the source must be asked. */
export function constantTimeProblems(party: Party, home = path.join(SDKS, HOMES[party])): string[] {
  const lacks = ([file, call]: readonly [string, string]): boolean => !readFileSync(path.join(home, file), 'utf8').includes(call);
  return CONSTANT_TIME[party].filter(lacks).map(([file, call]) => `${party}: ${file} does not call ${call}…)`);
}

const KEEP = (source: string): boolean => !/[\\/](?:node_modules|tests?|__pycache__|\.venv|vendor)$/.test(source);

/** Lets `use` look at a copy of a verifier, which goes away afterwards. */
export async function withCopy<T>(party: Party, use: (home: string) => Promise<T>): Promise<T> {
  const root = mkdtempSync(path.join(tmpdir(), 'bailing-fault-'));
  try {
    const home = path.join(root, path.basename(HOMES[party]));
    cpSync(path.join(SDKS, HOMES[party]), home, { recursive: true, filter: KEEP });
    return await use(home);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** The same with a fault planted. @throws {Error} when the fault's text is not in the source any more. */
export function withFault<T>(fault: Fault, use: (home: string) => Promise<T>): Promise<T> {
  return withCopy(fault.party, (home) => {
    const file = path.join(home, fault.file);
    const before = readFileSync(file, 'utf8');
    if (!before.includes(fault.find))
      throw new Error(`The fault "${fault.name}" of ${fault.party} does not apply: ${fault.file} no longer has ${fault.find}`);
    writeFileSync(
      file,
      before.replace(fault.find, () => fault.put),
    );
    return use(home);
  });
}

/** Runs the vectors with the verifier that lies in `home`, a copy of the party's folder. */
export function runCopy(party: Party, home: string, folder: string): Promise<Run> {
  if (party === 'hub') return runVectors(runnerOf('hub'), folder, [path.join(home, 'dist', 'index.js')]);
  return runVectors(runnerOf(party, path.dirname(home)), folder);
}
