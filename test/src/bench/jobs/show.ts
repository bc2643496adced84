// The report of `bench jobs` for people and for the page.
import type { JobsReport } from './jobs.js';

type Row = readonly (string | number | null)[];

const HEAD = ['', 'floor', 'SQLite', 'MariaDB'] as const;

/** One line per figure: what it is, its floor, and each hub's. */
export function jobsRows({ floors, hubs }: JobsReport): Row[] {
  const each = (of: (hub: JobsReport['hubs'][number]) => number | null | undefined): (number | null)[] =>
    ['SQLite', 'MariaDB'].map((name) => {
      const hub = hubs.find((one) => one.hub.endsWith(name));
      return hub ? (of(hub) ?? null) : null;
    });
  const accepting = (atOnce: number) => (hub: JobsReport['hubs'][number]) => hub.accepting.find((row) => row.atOnce === atOnce);
  const working = (what: string) => (hub: JobsReport['hubs'][number]) => hub.working.find((row) => row.what === what)?.jobsPerSecond;
  return [
    ['one row, one commit, ms', null, floors.commitMs['SQLite'] ?? null, floors.commitMs['MariaDB'] ?? null],
    ['`/run` accepted a second, 32 at once', floors.requestsPerSecond, ...each((hub) => accepting(32)(hub)?.perSecond)],
    ['`/run` p99 ms, 32 at once', floors.requestP99Ms, ...each((hub) => accepting(32)(hub)?.p99Ms)],
    ['`/run` p50 ms, one at a time', null, ...each((hub) => accepting(1)(hub)?.p50Ms)],
    ['jobs a second, an answer of an instant model', null, ...each(working('an answer'))],
    ['jobs a second, one read and an answer', null, ...each(working('one read and an answer'))],
    ['submitted to begun, p50 ms', null, ...each((hub) => hub.claimMs.p50)],
    ['submitted to begun, p99 ms', null, ...each((hub) => hub.claimMs.p99)],
    ['hand-over to a waiting executor, p50 ms', null, ...each((hub) => hub.handOverMs.p50)],
    ['hand-over to a waiting executor, p99 ms', null, ...each((hub) => hub.handOverMs.p99)],
    ['MiB per 1,000 idle streams', null, ...each((hub) => hub.mibPerThousandStreams)],
    ['CPU of an idle hub, % of a core', null, ...each((hub) => hub.idleCpuPercent)],
  ];
}

export function printedJobs(report: JobsReport): string {
  const rows = [HEAD, ...jobsRows(report)].map((row) => row.map(shown));
  const widths = HEAD.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return [
    headline(report),
    ...(report.machine.loadBefore > report.machine.cores / 2 ? ['The machine was busy: rates and times of this run say little.'] : []),
    '',
    ...rows.map((row) =>
      row
        .map((text, column) => (column === 0 ? text.padEnd(widths[0] ?? 0) : text.padStart(widths[column] ?? 0)))
        .join('  ')
        .trimEnd(),
    ),
    ...report.skipped.map((what) => `skipped, because ${what}`),
  ].join('\n');
}

export function jobsPage(report: JobsReport): string {
  const line = (row: Row): string => `| ${row.map(shown).join(' | ')} |`;
  const command = `Command: \`npm run bench -- jobs${report.quick ? ' --quick' : ''} --write\`. Machine: ${headline(report)}.`;
  const table = [line(HEAD), '| --- | ---: | ---: | ---: |', ...jobsRows(report).map(line)];
  return [command, '', ...table, ...report.skipped.map((what) => `\nSkipped, because ${what}`)].join('\n');
}

function headline({ machine, fdatasyncP50Ms, concurrency }: JobsReport): string {
  return (
    `${machine.cpu}, ${String(machine.cores)} cores, ${String(machine.memoryGiB)} GiB, ${machine.system}, Node ${machine.node}, ` +
    `${machine.filesystem}; fdatasync p50 ${String(fdatasyncP50Ms)} ms; load average of the minute before ${String(machine.loadBefore)}; ` +
    `${String(concurrency)} jobs at once in a hub`
  );
}

function shown(cell: string | number | null): string {
  return typeof cell === 'number' ? cell.toLocaleString('en', { maximumSignificantDigits: 6 }) : (cell ?? '');
}
