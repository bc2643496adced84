// The measured part of docs/reference/performance.md: written by the command that measured it, so that no figure is copied by hand.
import fs from 'node:fs';
import path from 'node:path';
import { root } from '../support/root.js';
import type { Report } from './calls.js';
import type { Row } from './compare.js';
import { ADDED_MS } from './slow-sync.js';

const pageOf = (name: string) => path.join(root, 'docs', 'reference', `${name}.md`);
const marks = (subject: string) => [`<!-- bench ${subject}: begin -->`, `<!-- bench ${subject}: end -->`] as const;

/** Replaces what lies between the marks of `bench calls` on the page. @throws Error when the marks are gone */
export function writePage(report: Report): void {
  writePart('calls', measured(report));
}

/** Replaces what lies between the marks of one subject on a page of docs/reference. @throws Error when the marks are gone */
export function writePart(subject: string, text: string, name = 'performance'): void {
  fs.writeFileSync(pageOf(name), placed(fs.readFileSync(pageOf(name), 'utf8'), subject, text));
}

export function replaced(page: string, report: Report): string {
  return placed(page, 'calls', measured(report));
}

export function placed(page: string, subject: string, text: string): string {
  const [from, to] = marks(subject);
  const [before, rest] = page.split(from);
  const after = rest?.split(to)[1];
  if (before === undefined || after === undefined) throw new Error(`The page has lost its marks ${from} and ${to}.`);
  return `${before}${from}\n${text}\n${to}${after}`;
}

function measured(report: Report): string {
  const { machine, fdatasyncP50Ms, quick, rows, slowSyncRows, skipped } = report;
  return [
    `Command: \`npm run bench -- calls${quick ? ' --quick' : ''} --write\`. Machine: ${machine.cpu}, ${String(machine.cores)} cores, ` +
      `${String(machine.memoryGiB)} GiB, ${machine.system}, Node ${machine.node}, ${machine.filesystem}; fdatasync p50 ${String(fdatasyncP50Ms.disk)} ms; ` +
      `load average of the minute before ${String(machine.loadBefore)}.`,
    ...callsTable('### Calls', rows),
    ...callsTable(
      `### With ${String(ADDED_MS)} ms added to each sync\n\nfdatasync p50 in the hub's process: ${String(fdatasyncP50Ms.slowed ?? 'unknown')} ms.`,
      slowSyncRows,
    ),
    ...cpuTable(rows),
    ...manyToolsTable(report),
    ...hugeTable(report),
    ...skipped.map((what) => `\nSkipped, because ${what}`),
  ].join('\n');
}

function callsTable(title: string, rows: readonly Row[]): string[] {
  if (rows.length === 0) return [];
  const head = ['call', 'at once', 'way', 'calls/s', 'p50 ms', 'p99 ms', '× direct', '× proxy', 'statements', 'commits', 'units'];
  const cells = rows.map((row) => [
    row.operation,
    row.concurrent,
    row.way,
    row.callsPerSecond,
    row.p50Ms,
    row.p99Ms,
    row.slowerThan.direct,
    row.statementsPerCall === null ? undefined : row.slowerThan.proxy,
    row.statementsPerCall,
    row.commitsPerCall,
    row.unitsPerCall,
  ]);
  return ['', title, '', ...table(head, cells)];
}

function cpuTable(rows: readonly Row[]): string[] {
  if (rows.length === 0) return [];
  const names = ['load', 'business', 'proxy', 'hub', 'database server'];
  const cells = rows.map((row) => [
    row.operation,
    row.concurrent,
    row.way,
    ...names.map((name) => row.cpuSecondsPer1000[name]),
    row.statementsPerCall === null ? undefined : row.cpuTimes.proxy,
  ]);
  return ['', '### CPU seconds per 1,000 calls, by process', '', ...table(['call', 'at once', 'way', ...names, 'hub / proxy'], cells)];
}

function manyToolsTable({ manyTools }: Report): string[] {
  if (!manyTools) return [];
  const cells = manyTools.rows.map((row) => [
    row.operation,
    row.way,
    row.callsPerSecond,
    row.p50Ms,
    row.cpuSecondsPer1000.hub,
    row.statementsPerCall,
    manyTools.claimP50Ms[row.way],
  ]);
  const head = ['call', 'route', 'calls/s', 'p50 ms', 'hub CPU s per 1,000', 'statements', 'claim p50 ms'];
  return ['', '### A route with 2,000 tools, 8 at once', '', ...table(head, cells)];
}

function hugeTable({ hugeAnswers }: Report): string[] {
  if (hugeAnswers.length === 0) return [];
  const cells = hugeAnswers.map(({ form, grewMiB, seconds }) => [form, grewMiB, seconds]);
  return ['', '### An answer of 400 MiB', '', ...table(['how it came', "hub's memory grew by, MiB", 'seconds'], cells)];
}

type Cell = string | number | null | undefined;

function table(head: readonly string[], rows: readonly (readonly Cell[])[]): string[] {
  const line = (cells: readonly Cell[]): string => `| ${cells.map(shown).join(' | ')} |`;
  return [line(head), `|${' --- |'.repeat(head.length)}`, ...rows.map(line)];
}

function shown(cell: Cell): string {
  return typeof cell === 'number' ? cell.toLocaleString('en', { maximumSignificantDigits: 6 }) : (cell ?? '');
}
