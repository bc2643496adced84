import type { FreshDatabase } from '@bailing/store/testing';

export interface Contents {
  /** Pages in use, indexes included. */
  readonly bytes: number;
  readonly tables: ReadonlyMap<string, { readonly bytes: number; readonly rows: number }>;
}

export interface TableGrowth {
  readonly table: string;
  readonly bytesPerJob: number;
  readonly rowsPerJob: number;
}

/** What a database holds now, as it tells itself; table by table where it can. */
export async function contents(dialect: 'sqlite' | 'mysql', database: FreshDatabase): Promise<Contents> {
  if (dialect === 'sqlite') {
    const sql =
      'SELECT (c.page_count - f.freelist_count) * s.page_size AS bytes FROM pragma_page_count c, pragma_freelist_count f, pragma_page_size s';
    return { bytes: Number((await database.query(sql))[0]?.['bytes']), tables: new Map() };
  }
  const names = await database.query('SELECT TABLE_NAME AS name FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE()');
  await database.query(`ANALYZE TABLE ${names.map(({ name }) => String(name)).join(', ')}`);
  const sizes = await database.query(
    'SELECT TABLE_NAME AS name, DATA_LENGTH + INDEX_LENGTH AS bytes, TABLE_ROWS AS count FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE()',
  );
  const tables = new Map(sizes.map(({ name, bytes, count }) => [String(name), { bytes: Number(bytes), rows: Number(count) }] as const));
  return { bytes: [...tables.values()].reduce((sum, { bytes }) => sum + bytes, 0), tables };
}

/** What was added between two times, for each of so many jobs, the largest first; what hardly grew is left out. */
export function growth(before: Contents, after: Contents, jobs: number): readonly TableGrowth[] {
  return [...after.tables]
    .map(([table, { bytes, rows }]) => {
      const was = before.tables.get(table) ?? { bytes: 0, rows: 0 };
      return { table, bytesPerJob: Math.round((bytes - was.bytes) / jobs), rowsPerJob: Math.round((rows - was.rows) / jobs) };
    })
    .filter(({ bytesPerJob }) => bytesPerJob >= 50)
    .sort((a, b) => b.bytesPerJob - a.bytesPerJob);
}
