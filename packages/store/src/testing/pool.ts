import type { DatabaseFixture, FreshDatabase } from './index.js';

/** Emptied databases, used again by whoever asks next: making one costs MySQL a second of DDL. */
const kept: { readonly fixture: DatabaseFixture; readonly database: FreshDatabase }[] = [];

/** An empty database, maybe one that served before; dropping it gives it back. Whoever uses it calls `dropPool` at the very end. */
export async function pooled(fixture: DatabaseFixture): Promise<FreshDatabase> {
  const index = kept.findIndex((one) => one.fixture.name === fixture.name);
  const database = kept.splice(index, index < 0 ? 0 : 1)[0]?.database ?? (await fixture.create());
  const drop = async (): Promise<void> => {
    try {
      await database.empty();
    } catch {
      // What a test broke on purpose serves nobody else.
      return database.drop();
    }
    kept.push({ fixture, database });
  };
  return { ...database, drop };
}

export async function dropPool(): Promise<void> {
  for (const { database } of kept.splice(0)) await database.drop();
}
