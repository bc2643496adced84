import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { ELSEWHERE } from './elsewhere.js';
import { commandsOf, filesOf, isShell, type Block, type Command, type Page } from './pages.js';
import type { Stage } from './stage.js';

/** What went wrong, in the order of the page; empty where every command did what the page says. */
export type Faults = readonly string[];

/** Runs the commands of a page in order, in one shell, in the folder of the stage, after writing the files the page shows. */
export async function play(page: Page, stage: Stage, wanted: (block: Block) => boolean = () => true): Promise<Faults> {
  for (const [name, text] of filesOf(page)) {
    const file = path.join(stage.folder, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, put(text, stage.words));
  }
  const steps = page.blocks.filter(wanted).flatMap((block) => {
    if (block.printed) return [`printed ${quoted(`${page.file}:${String(block.line)}`)} ${quoted(put(block.text, stage.words))}`];
    const commands = isShell(block) ? commandsOf(block).filter(({ text }) => !isElsewhere(text)) : [];
    return commands.map((command) => lineOf(page, command, stage));
  });
  const script = [PRELUDE, ...steps, 'finish'].join('\n');
  const { output } = await shell(script, stage);
  const ended = /^DOCS OK$/m.test(output);
  return ended ? [] : [output.trim()];
}

/** Prints nothing unless something is wrong; then everything about the command that is. */
const PRELUDE = `
set -o pipefail
begin() { rm -f "$DOCS_NOTES/status"; }
finish() { local all; all=$(jobs -p); [ -z "$all" ] || { kill $all; wait; } 2>/dev/null; echo; echo 'DOCS OK'; }
stop() { echo "$1"; cat "$DOCS_NOTES/out"; local all; all=$(jobs -p); [ -z "$all" ] || kill $all; exit 1; }
settle() { # waits for the hub a page has started
  for _ in {1..200}; do "$DOCS_CURL" -so /dev/null "$DOCS_HUB/health" && return; sleep 0.1; done
}
printed() { # where, text
  local out; out=$(cat "$DOCS_NOTES/out")
  [[ "$out" == *"$2"* ]] || stop "$1: is not what the command before it printed"
}
judge() { # where, status, wanted status, wanted HTTP status
  [ "$2" -eq "$3" ] || stop "$1: ended with $2, and the page says $3"
  [ -f "$DOCS_NOTES/status" ] || { [ -z "$4" ] || stop "$1: no request was answered, and the page says $4"; return 0; }
  local http; http=$(cat "$DOCS_NOTES/status")
  [ "$http" = "\${4:-$http}" ] && { [ -n "$4" ] || [ "$http" -lt 300 ]; } || stop "$1: answered with $http, and the page says \${4:-success}"
}
`;

function lineOf(page: Page, { line, text, exit, http }: Command, stage: Stage): string {
  const where = `${page.file}:${String(line)}`;
  const filled = put(text, stage.words).replaceAll('JOB_ID', '$(cat "$DOCS_NOTES/job")');
  // What runs on in the background does not hold up the reader, nor this file.
  const said = text.endsWith('&')
    ? filled.replace(
        /&$/,
        `>>"$DOCS_NOTES/behind" 2>&1 &${/\bstart\b/.test(text) && stage.env['DOCS_HUB'] !== undefined ? '\nsettle' : ''}`,
      )
    : `{ ${filled}\n} >"$DOCS_NOTES/out" 2>&1`;
  return `begin\n${said}\njudge ${quoted(where)} $? ${String(exit)} ${quoted(String(http ?? ''))}`;
}

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

/** Whether a command is on the list of those that are run elsewhere. */
export const isElsewhere = (text: string): boolean => Object.keys(ELSEWHERE).some((beginning) => text.startsWith(beginning.trim()));

/** The page's addresses and examples as they are here. */
export function put(text: string, words: Stage['words']): string {
  return words.reduce((sum, [from, to]) => sum.replaceAll(from, to), text);
}

function shell(script: string, stage: Stage): Promise<{ output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn('bash', ['-c', script], { cwd: stage.folder, env: stage.env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const late = setTimeout(() => {
      output += '\nthe page took longer than a minute';
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    }, 60_000);
    child.once('error', reject);
    child.once('close', () => {
      clearTimeout(late);
      resolve({ output });
    });
  });
}
