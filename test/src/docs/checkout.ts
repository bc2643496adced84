import fs from 'node:fs';
import path from 'node:path';
import { root } from '../support/root.js';

const LINKED = ['packages', 'kernel', 'plugins', 'sdk-verifiers', 'docs', 'deploy', 'node_modules', 'package.json', '.npmrc'];

/** The command of this build, where a page says `bailing`. */
const BAILING = `#!/bin/sh
exec node "${path.join(root, 'packages', 'app', 'dist', 'bin.js')}" "$@"
`;

/** `npm run [--silent] bailing -- …` starts the script of package.json; the real one takes longer to start than what it starts. */
const NPM = `#!/bin/sh
case "$*" in
  "run bailing -- "*) shift 3 ;;
  "run -s bailing -- "* | "run --silent bailing -- "*) shift 4 ;;
  *) echo "npm $*: the tests know npm run bailing only" >&2; exit 2 ;;
esac
exec bailing "$@"
`;

/** Notes the status and the job id of an answer; waits for a hub that was just started, as a reader does. */
const CURL = `#!/bin/bash
for turn in {1..200}; do
  "$DOCS_CURL" -D "$DOCS_NOTES/head" "$@" >"$DOCS_NOTES/body"
  status=$?
  [ $status -eq 7 ] || break
  sleep 0.1
done
cat "$DOCS_NOTES/body"
grep '^HTTP/' "$DOCS_NOTES/head" | tail -1 | cut -d' ' -f2 >"$DOCS_NOTES/status"
job=$(sed -n 's/.*"job_id":"\\([^"]*\\)".*/\\1/p' "$DOCS_NOTES/body" | head -1)
[ -z "$job" ] || printf %s "$job" >"$DOCS_NOTES/job"
exit $status
`;

/** The file that a command of this machine is, if there is one. */
export function whereIs(command: string): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(path.delimiter);
  return folders.map((folder) => path.join(folder, command)).find((file) => fs.existsSync(file));
}

/**
 * Makes a folder look like a checkout to whoever types commands in it: the project's folders are there, and `bailing`, `npm run bailing` and `curl` are
 * commands. Answers the environment that says so.
 */
export function makeCheckout(folder: string): Readonly<Record<string, string>> {
  for (const name of LINKED) if (!fs.existsSync(path.join(folder, name))) fs.symlinkSync(path.join(root, name), path.join(folder, name));
  const bin = path.join(folder, '.bin');
  const notes = path.join(folder, '.notes');
  fs.mkdirSync(bin);
  fs.mkdirSync(notes);
  for (const [name, text] of Object.entries({ bailing: BAILING, npm: NPM, curl: CURL }))
    fs.writeFileSync(path.join(bin, name), text, { mode: 0o755 });
  const paths = process.env['PATH'] ?? '';
  const curl = whereIs('curl') ?? 'curl';
  return { PATH: `${bin}:${path.dirname(process.execPath)}:${paths}`, HOME: folder, NO_COLOR: '1', DOCS_NOTES: notes, DOCS_CURL: curl };
}
