import type { Store } from '@bailing/engine/ports';
import { openStore, type StoreOptions } from '../open-store.js';
import { START } from './words.js';
import { type DatabaseFixture, databases, dropPool, type FreshDatabase, pooled } from '../testing/index.js';

export * from './words.js';

/** The list is made once: where MySQL is missing, it is said once. */
export const fixtures: readonly DatabaseFixture[] = await databases();

/** A store on a fresh database under a clock that only tests move, with everything it did counted. */
export interface World {
  readonly store: Store;
  readonly database: FreshDatabase;
  readonly clock: { now: number };
  readonly commits: (readonly string[])[];
  readonly statements: string[];
  /** Another process on the same database. */
  another(options?: Partial<StoreOptions>): Promise<Store>;
  /** Forgets what was counted so far. */
  forget(): void;
  end(): Promise<void>;
}

after(dropPool);

export async function world(fixture: DatabaseFixture, options: Partial<StoreOptions> = {}): Promise<World> {
  const database = await pooled(fixture);
  const clock = { now: START };
  const commits: (readonly string[])[] = [];
  const statements: string[] = [];
  const opened: Store[] = [];
  const another = async (more: Partial<StoreOptions> = {}): Promise<Store> => {
    const store = await openStore({ url: database.url, replica: `r${String(opened.length + 1)}`, now: () => clock.now, ...more });
    opened.push(store);
    return store;
  };
  const counted = { onCommit: (units: readonly string[]) => commits.push(units), onStatement: (name: string) => statements.push(name) };
  const store = await another({ ...counted, ...options });
  return {
    store,
    database,
    clock,
    commits,
    statements,
    another,
    forget: () => {
      commits.length = 0;
      statements.length = 0;
    },
    end: async () => {
      for (const one of opened) await one.close();
      await database.drop();
    },
  };
}

/** Runs the same cases on every database at hand. */
export function onEveryDatabase(title: string, cases: (fixture: DatabaseFixture) => void): void {
  for (const fixture of fixtures) describe(`${title} (${fixture.name})`, () => cases(fixture));
}
