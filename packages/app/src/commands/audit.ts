import fs from 'node:fs';
import { createInterface } from 'node:readline';
import { redactText } from '@bailing/hub';
import { BailingError } from '@bailing/plugin-api';
import { exportFindings, exportLedger, ledgerFindings, type LedgerSummary } from '@bailing/store';
import { loadConfig } from '../load-config.js';
import { CommandFailure, plain, print, printError } from '../out.js';

export interface AuditOptions {
  readonly config: string;
  readonly database?: string;
  /** An export instead of a database. */
  readonly file?: string;
  readonly json?: boolean;
}

export interface ExportOptions extends AuditOptions {
  readonly out?: string;
}

/** Findings that are printed one by one; all are counted. */
const PRINTED_MAX = 100;

/**
 * Reads the whole ledger and tells every edited, removed or reordered line. Ends with status 1 where it finds any. Needs the database, not
 * a running hub; one that runs may go on writing meanwhile.
 */
export async function verifyAudit(options: AuditOptions): Promise<void> {
  const { file } = options;
  const walk = file === undefined ? ledgerFindings(databaseOf(options)) : exportFindings(() => linesOf(file));
  const found: unknown[] = [];
  for (let step = await walk.next(); ; step = await walk.next()) {
    if (step.done === true) {
      const { findings } = step.value;
      if (options.json === true) print(JSON.stringify({ ok: findings === 0, ...shown(step.value), found }, null, 2));
      else print(told(step.value));
      if (findings > 0) process.exitCode = 1;
      return;
    }
    if (found.length >= PRINTED_MAX) continue;
    found.push(step.value);
    const { is, id, writer, seq, says } = step.value;
    if (options.json !== true) printError(`${is}: row ${String(id)}, line ${String(seq)} of ${plain(writer)}. ${plain(redactText(says))}`);
  }
}

/** Writes the whole ledger as JSON lines, to a file of mode 0600 or to standard output. Needs the database, not a running hub. */
export async function exportAudit(options: ExportOptions): Promise<void> {
  const { out } = options;
  const url = databaseOf(options);
  if (out === undefined) return void (await writeExport(url, process.stdout));
  const stream = fileFor(out);
  let lines: number;
  try {
    lines = await writeExport(url, stream);
    await new Promise<unknown>((resolve) => stream.end(resolve));
    if (stream.errored) throw refusedOutput(stream.errored);
  } catch (error) {
    // Half an export is no evidence, and would stand in the way of the next.
    stream.destroy();
    fs.rmSync(out, { force: true });
    throw error;
  }
  print(`${String(lines)} lines are in ${out}; verify them anywhere with bailing audit verify --file ${out}.`);
}

function fileFor(out: string): fs.WriteStream {
  try {
    return fs.createWriteStream(out, { fd: fs.openSync(out, 'wx', 0o600) });
  } catch (error) {
    throw refusedOutput(error as Error);
  }
}

/** Writes as fast as the stream takes it; answers how many lines of the ledger there were. */
async function writeExport(url: string, stream: NodeJS.WritableStream): Promise<number> {
  let failure: Error | undefined;
  let goOn = (): void => undefined;
  // One listener each for the whole export, however often it has to wait.
  stream.on('drain', () => goOn());
  stream.on('error', (error: Error) => {
    failure = error;
    goOn();
  });
  let lines = 0;
  for await (const line of exportLedger(url)) {
    if (failure) throw refusedOutput(failure);
    if (line.type === 'line') lines += 1;
    if (!stream.write(`${JSON.stringify(line)}\n`)) await new Promise<void>((resolve) => (goOn = resolve));
  }
  if (failure) throw refusedOutput(failure);
  return lines;
}

function refusedOutput(error: Error): BailingError {
  return new BailingError('BAILING_OUTPUT_REFUSED', { detail: `${error.message}.` });
}

function linesOf(file: string): AsyncIterable<string> {
  if (fs.statSync(file, { throwIfNoEntry: false })?.isFile() !== true) throw new CommandFailure(`There is no file ${file}.`);
  return createInterface({ input: fs.createReadStream(file), crlfDelay: Infinity });
}

/** Times as people and programs read them. */
function shown({ from, pruned, ...counts }: LedgerSummary): object {
  return { ...counts, from: iso(from), pruned: { ...pruned, at: iso(pruned.at) } };
}

function told({ lines, chains, checkpoints, findings, from, pruned }: LedgerSummary): string {
  const since = pruned.lines > 0 && from !== null ? ` from ${String(iso(from))}` : '';
  const verdict = findings === 0 ? `The ledger is whole${since}:` : `The ledger was changed: ${String(findings)} findings in`;
  const counts = `${String(lines)} lines in ${String(chains)} chains, ${String(checkpoints)} checkpoints`;
  if (pruned.lines === 0) return `${verdict} ${counts}.`;
  const when = pruned.at === null ? '' : `, the last at ${String(iso(pruned.at))}`;
  return `${verdict} ${counts}; ${String(pruned.lines)} earlier lines pruned by retention${when}.`;
}

function iso(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}

/** What the hub itself would open. A file that is not there is not an empty ledger. */
function databaseOf({ database, config }: AuditOptions): string {
  const url = database ?? loadConfig(config).config.hub.database;
  const file = /^sqlite:(?!:memory:)(.+)$/s.exec(url)?.[1];
  if (file !== undefined && !fs.existsSync(file))
    throw new CommandFailure(`There is no database file ${file}. Name another with --database.`);
  return url;
}
