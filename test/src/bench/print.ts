// The report for people.
import type { Row } from './compare.js';
import type { Report } from './calls.js';
import type { Profile } from './profile.js';

export function printed(report: Report): string {
  const { machine, fdatasyncP50Ms: sync } = report;
  return [
    `${machine.cpu}, ${String(machine.cores)} cores, ${String(machine.memoryGiB)} GiB · ${machine.system} · Node ${machine.node}`,
    `disk ${machine.filesystem}, fdatasync p50 ${String(sync.disk)} ms · load average before ${String(machine.loadBefore)}${report.quick ? ' · quick' : ''}`,
    ...(machine.loadBefore > machine.cores / 2 ? ['The machine was busy: rates and ratios of this run say little; counts hold.'] : []),
    ...rowsPart('Calls', report.rows),
    ...rowsPart(`With 2 ms added to each sync (fdatasync p50 in the hub ${String(sync.slowed)} ms)`, report.slowSyncRows),
    ...manyToolsPart(report),
    ...hugePart(report),
    ...report.profiles.flatMap(profilePart),
    ...report.skipped.map((what) => `skipped, because ${what}`),
  ].join('\n');
}

function rowsPart(title: string, rows: readonly Row[]): string[] {
  if (rows.length === 0) return [];
  const head = [
    'call',
    'at once',
    'way',
    'calls/s',
    'p50 ms',
    'p99 ms',
    '×direct',
    '×proxy',
    'stmts',
    'commits',
    'units',
    'CPU s per 1,000 calls (CPU s)',
  ];
  return ['', title, ...table([head, ...rows.map(cells)])];
}

function cells(row: Row): string[] {
  const some = (value: number | null | undefined): string => (value === null || value === undefined ? '' : String(value));
  const cpu = Object.entries(row.cpuSecondsPer1000).map(([name, value]) => `${name} ${String(value)} (${some(row.cpuSeconds[name])})`);
  return [
    row.operation,
    String(row.concurrent),
    row.way,
    row.callsPerSecond.toLocaleString('en'),
    String(row.p50Ms),
    String(row.p99Ms),
    some(row.slowerThan.direct),
    row.statementsPerCall === null ? '' : some(row.slowerThan.proxy),
    row.statementsPerCall === null ? '' : some(row.cpuTimes.proxy),
    some(row.statementsPerCall),
    some(row.commitsPerCall),
    some(row.unitsPerCall),
    cpu.join(', '),
  ];
}

function manyToolsPart({ manyTools }: Report): string[] {
  if (!manyTools) return [];
  const times = Object.entries(manyTools.ratio).map(([operation, ratio]) => `${operation} ${String(ratio)}`);
  const claims = Object.entries(manyTools.claimP50Ms).map(([way, ms]) => `${way} ${String(ms)} ms`);
  return [
    ...rowsPart('A route with 2,000 tools', manyTools.rows),
    `rate with 2 tools / rate with 2,000 tools: ${times.join(', ')} · claim p50: ${claims.join(', ')}`,
  ];
}

function hugePart({ hugeAnswers }: Report): string[] {
  if (hugeAnswers.length === 0) return [];
  const head = ['answer of 400 MiB', 'hub grew MiB', 'seconds', 'the caller got'];
  const rows = hugeAnswers.map(({ form, grewMiB, seconds, answer }) => [
    form,
    String(grewMiB ?? 'unknown'),
    String(seconds),
    answer.slice(0, 110),
  ]);
  return ['', ...table([head, ...rows])];
}

function profilePart({ operation, idlePercent, functions, rooms }: Profile): string[] {
  const lines = (list: Profile['functions'], count: number): string[] =>
    list.slice(0, count).map(({ where, selfPercent }) => `  ${String(selfPercent).padStart(6)} %  ${where}`);
  return [
    '',
    `Self time of the hub, ${operation}s, 32 at once (idle ${String(idlePercent)} %)`,
    ...lines(functions, 25),
    ' by room',
    ...lines(rooms, 20),
  ];
}

/** Columns as wide as their widest cell; numbers to the right. */
function table(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  const cell = (text: string, width: number): string => (/^[\d.,]*$/.test(text) ? text.padStart(width) : text.padEnd(width));
  return rows.map((row) =>
    row
      .map((text, column) => cell(text, widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
