import fs from 'node:fs';

/** Bytes; a hub takes no larger body either. */
export const MAX_FILE_BYTES = 67_108_864;

/** The text of a regular file: a device or a pipe may never end. @throws Error where it is none, too large, or cannot be read */
export function readBounded(name: string): string {
  const stat = fs.statSync(name);
  if (!stat.isFile() || stat.size > MAX_FILE_BYTES) throw new Error(`${name} is no regular file of at most 64 MiB`);
  return fs.readFileSync(name, 'utf8');
}
