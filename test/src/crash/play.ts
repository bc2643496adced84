import type { DatabaseFixture, FreshDatabase } from '@bailing/store/testing';
import type { Arrival, Reaction } from '../support/counting-business.js';
import type { Act, Edge } from './edges.js';
import { drive } from './drive.js';
import { observe, type Facts } from './observe.js';
import { Stage } from './stage.js';

/** Plays one edge on one database and answers what is true afterwards. */
export async function play(edge: Edge, fixture: DatabaseFixture): Promise<Facts> {
  const stage = new Stage(edge, fixture);
  try {
    await stage.set((arrival, nth) => react(stage, arrival, nth));
    await stage.startVictim(failpointOf(edge.act));
    const harm = edge.act.is === 'kill' || edge.act.is === 'kill-answered' ? undefined : harmAtFailpoint(stage);
    const job = await drive(stage);
    await harm;
    await wake(stage);
    await Promise.all(stage.afterwards);
    return await observe(stage, job);
  } finally {
    await stage.strike();
  }
}

/** What the victim does to itself. Where something is done to it at a failpoint, it stops there and waits to be continued. */
function failpointOf(act: Act): { failpoint?: string; nth?: number; signal?: NodeJS.Signals } {
  if (!('at' in act) || act.at === 'received') return {};
  return act.is === 'kill' ? { failpoint: act.at, nth: act.nth ?? 1 } : { failpoint: act.at, signal: 'SIGSTOP' };
}

/** The business is where some edges are: it has the request, and the hub does not know yet. */
async function react(stage: Stage, arrival: Arrival, nth: number): Promise<Reaction> {
  const { act, story } = stage.edge;
  const first = !stage.reached && nth === 1;
  const reaction = (await story.react?.(arrival, nth)) ?? { is: 'answer', status: 200 };
  if (!first) return reaction;
  if (act.is === 'kill' && act.at === 'received') await stage.victim?.kill();
  if (act.is === 'kill-answered') {
    stage.victim?.send('SIGSTOP');
    setTimeout(() => void stage.victim?.kill(), 100);
  }
  if (act.is === 'sleep' && act.at === 'received') {
    await stopBetweenTransactions(stage);
    sleepThrough(stage);
  }
  if (act.is === 'lose-database' && act.at === 'received') stage.afterwards.push(loseDatabase(stage, act));
  return reaction;
}

/** Waits until the victim stopped itself at its failpoint, does what the edge says, and lets it go on. */
async function harmAtFailpoint(stage: Stage): Promise<void> {
  const { act } = stage.edge;
  if (act.is === 'nothing') return void (stage.reached = true);
  if (!('at' in act) || act.at === 'received') return;
  const until = Date.now() + 12_000;
  while (!stage.victim?.stopped()) {
    if (Date.now() > until || (await stage.isGone())) return;
  }
  stage.reached = true;
  if (act.is === 'sleep') sleepThrough(stage);
  if (act.is === 'lose-database') await loseDatabase(stage, act);
}

/** A process that sleeps inside a transaction keeps its locks, and everybody else waits; that is another story. */
async function stopBetweenTransactions({ victim, database, dialect }: Stage): Promise<void> {
  for (;;) {
    victim?.send('SIGSTOP');
    const free = dialect === 'sqlite' ? await mayWrite(database) : (await database.query(OPEN_TRANSACTIONS))[0]?.n === 0;
    if (free) return;
    victim?.send('SIGCONT');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

const OPEN_TRANSACTIONS = `SELECT COUNT(*) AS n FROM information_schema.INNODB_TRX t
  JOIN information_schema.PROCESSLIST p ON p.ID = t.trx_mysql_thread_id WHERE p.DB = DATABASE()`;

async function mayWrite(database: FreshDatabase): Promise<boolean> {
  try {
    await (
      await database.hold()
    )();
    return true;
  } catch {
    return false;
  }
}

/** The victim sleeps until the next hub has finished its job; then it wakes up and does whatever it was about to do. */
function sleepThrough(stage: Stage): void {
  stage.asleep = true;
  stage.reached = true;
  stage.leave();
}

async function loseDatabase(stage: Stage, act: Extract<Act, { is: 'lose-database' }>): Promise<void> {
  stage.reached = true;
  const mend = await lose(stage, act.how);
  stage.victim?.send('SIGCONT');
  await new Promise((resolve) => setTimeout(resolve, act.ms));
  await mend();
}

async function lose({ proxy, database }: Stage, how: Extract<Act, { is: 'lose-database' }>['how']): Promise<() => Promise<void>> {
  if (how === 'lock') return database.hold();
  if (how === 'cut') proxy?.cut();
  else proxy?.loseAnswers(how === 'blip' ? 'through' : 'cut');
  return () => Promise.resolve(how === 'blip' ? undefined : proxy?.mend());
}

/** The victim wakes up long after: whatever it was about to do comes too late, or not at all. */
async function wake(stage: Stage): Promise<void> {
  if (!stage.asleep) return;
  stage.victim?.send('SIGCONT');
  await new Promise((resolve) => setTimeout(resolve, AWAKE_MS));
}

/** Long enough for a woken process to send, settle and finish what it still believes to hold. */
const AWAKE_MS = 1_200;
