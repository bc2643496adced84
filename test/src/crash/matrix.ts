import type { DatabaseFixture } from '@bailing/store/testing';
import type { Edge } from './edges.js';
import { judge } from './judge.js';
import type { Facts } from './observe.js';
import { play } from './play.js';

const TRIES = 2;

/** One edge on one database. */
export interface Played {
  readonly edge: Edge;
  readonly database: DatabaseFixture['name'];
  readonly facts: Facts | null;
  /** What was broken; empty where every promise held. */
  readonly broken: readonly string[];
  readonly ms: number;
}

/** Plays edges on every database they can happen on, several worlds at once: most of each is waiting for leases. */
export async function playAll(
  edges: readonly Edge[],
  fixtures: readonly DatabaseFixture[],
  atOnce: number,
  told: (played: Played) => void = () => undefined,
): Promise<readonly Played[]> {
  const todo = edges.flatMap((edge) =>
    fixtures.filter(({ name }) => edge.on?.includes(name) ?? true).map((fixture) => ({ edge, fixture })),
  );
  const done: Played[] = [];
  const work = async () => {
    for (let next = todo.shift(); next; next = todo.shift()) {
      const played = await one(next.edge, next.fixture);
      done.push(played);
      told(played);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return done;
}

async function one(edge: Edge, fixture: DatabaseFixture): Promise<Played> {
  const started = performance.now();
  const ended = (facts: Facts | null, broken: readonly string[]): Played => ({
    edge,
    database: fixture.name,
    facts,
    broken,
    ms: Math.round(performance.now() - started),
  });
  try {
    let facts = await play(edge, fixture);
    // A unit may share its transaction with another one by chance; then its place is not passed by name, and the edge is tried again.
    for (let again = 0; !facts.reached && again < TRIES; again += 1) facts = await play(edge, fixture);
    return ended(facts, judge(edge, facts));
  } catch (error) {
    return ended(null, [`SILENT LOSS or broken world: ${error instanceof Error ? error.message : String(error)}`]);
  }
}
