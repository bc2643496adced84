import { execFile } from 'node:child_process';
import path from 'node:path';
import { root } from './root.js';
import { SERVER_TOKEN } from './world.js';

const BIN = path.join(root, 'packages', 'app', 'dist', 'bin.js');

/** Runs the real `bailing` command against a running hub. Standard output, or what it said on standard error. */
export function bailing(url: string, ...args: string[]): Promise<{ readonly code: number; readonly out: string }> {
  const env = { ...process.env, BAILING_URL: url, BAILING_TOKEN: SERVER_TOKEN, NO_COLOR: '1' };
  return new Promise((resolve) => {
    execFile(process.execPath, [BIN, ...args], { env, timeout: 60_000 }, (error, stdout, stderr) => {
      const code = typeof error?.code === 'number' ? error.code : error ? 1 : 0;
      resolve({ code, out: code === 0 ? stdout : stderr });
    });
  });
}
