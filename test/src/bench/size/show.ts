// The report of `bench size` for people and for the page.
import type { HubSize, SizeReport } from './size.js';

const HEAD = ['', 'SQLite', 'MariaDB'] as const;
type Row = readonly (string | number | null)[];

export function sizeRows({ hubs }: Pick<SizeReport, 'hubs'>): readonly Row[] {
  const each = (of: (hub: HubSize) => number | null) =>
    ['SQLite', 'MariaDB'].map((name) => {
      const hub = hubs.find(({ database }) => database === name);
      return hub ? of(hub) : null;
    });
  return [
    ['memory of an idle hub, MiB', ...each((hub) => hub.idleMiB)],
    ['memory at most while it works, MiB', ...each((hub) => hub.busyMiB)],
    ['connections to the database server', ...each((hub) => hub.connections)],
    ['a job with an answer adds, bytes', ...each((hub) => hub.bytesPerJob)],
    ['each read in it adds, bytes', ...each((hub) => hub.bytesPerRead)],
    ['each write in it adds, bytes', ...each((hub) => hub.bytesPerWrite)],
    ['a million jobs with one write, GiB', ...each((hub) => Number((((hub.bytesPerJob + hub.bytesPerWrite) * 1e6) / 2 ** 30).toFixed(1)))],
  ];
}

export function printedSize(report: SizeReport): string {
  const rows = [HEAD, ...sizeRows(report)].map((row) => row.map(shown));
  const widths = HEAD.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    row.map((text, column) => (column === 0 ? text.padEnd(widths[0] ?? 0) : text.padStart(widths[column] ?? 0))).join('  ');
  return [headline(report), '', ...rows.map(line), ...report.skipped.map((what) => `skipped, because ${what}`)].join('\n');
}

export function sizePage(report: SizeReport): string {
  const line = (row: Row) => `| ${row.map(shown).join(' | ')} |`;
  const tables = report.hubs.find(({ database }) => database === 'MariaDB')?.tables ?? [];
  return [
    `Command: \`npm run bench -- size${report.quick ? ' --quick' : ''} --write\`. ${headline(report)}`,
    '',
    line(HEAD),
    '| --- | ---: | ---: |',
    ...sizeRows(report).map(line),
    ...(tables.length === 0
      ? []
      : [
          '',
          'Where a job with one write goes, on MariaDB:',
          '',
          '| table | bytes | rows |',
          '| --- | ---: | ---: |',
          ...tables.map(({ table, bytesPerJob, rowsPerJob }) => line([`\`${table}\``, bytesPerJob, rowsPerJob])),
        ]),
    ...report.skipped.map((what) => `\nSkipped, because ${what}`),
  ].join('\n');
}

function headline({ machine, jobs }: SizeReport): string {
  return `${jobs.toLocaleString('en')} jobs of each kind, 32 submitted at once; ${machine.system}, Node ${machine.node}.`;
}

function shown(cell: string | number | null): string {
  return typeof cell === 'number' ? cell.toLocaleString('en', { maximumSignificantDigits: 6 }) : (cell ?? '');
}
