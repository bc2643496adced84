// A route with 2,000 tools must cost a call what a route with two costs (TRAPS 41).
import { compare, warmUp, type Effort, type Row } from './compare.js';
import { SMALL, type BenchHub, type Stage } from './stage.js';
import { percentile, short } from './statistics.js';

const LARGE = { name: 'many-tools', document: '2000' };
/** Above this the number of tools costs a call something; below it is what two equal routes differ by from run to run. */
export const MANY_TOOLS_MOST = 1.25;
const ROUNDS = 9;

export interface ManyTools {
  readonly rows: readonly Row[];
  /** Rate with two tools divided by the rate with 2,000. */
  readonly ratio: Readonly<Record<string, number>>;
  /** Median milliseconds of a claim, which carries the catalogue of the job. */
  readonly claimP50Ms: Readonly<Record<string, number>>;
}

/** Both routes on one hub, so that everything but the number of tools is the same. */
export async function manyTools(stage: Stage, effort: Effort): Promise<ManyTools> {
  const database = `sqlite:${stage.file('many-tools.db')}`;
  const hub = await stage.hub({ name: 'many-tools', database, routes: [SMALL, LARGE] });
  const ways = [hub.way('2 tools', SMALL.name), hub.way('2,000 tools', LARGE.name)] as const;
  await warmUp(stage.range, ways, effort);
  const rows: Row[] = [];
  for (const operation of ['read', 'write'] as const)
    rows.push(...(await compare(stage.range, ways, operation, 8, { ...effort, rounds: ROUNDS })));
  const claimP50Ms = { '2 tools': await claimTime(hub, SMALL.name), '2,000 tools': await claimTime(hub, LARGE.name) };
  await hub.stop();
  const large = rows.filter(({ way }) => way === '2,000 tools');
  return { rows, ratio: Object.fromEntries(large.map((row) => [row.operation, row.slowerThan['2 tools'] ?? Number.NaN])), claimP50Ms };
}

async function claimTime({ doors }: BenchHub, route: string): Promise<number> {
  doors.claims.length = 0;
  await doors.open(route, 2_000);
  await doors.finish();
  return short(
    percentile(
      doors.claims.sort((a, b) => a - b),
      0.5,
    ),
  );
}
