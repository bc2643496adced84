import { type Migration, TABLE } from './migration.js';

export const toolFailures: Migration = {
  name: '0009-tool-failures',
  sqlite: `CREATE TABLE IF NOT EXISTS bz_tool_failures (
    job_id TEXT NOT NULL, tool TEXT NOT NULL, streak INTEGER NOT NULL, PRIMARY KEY (job_id, tool)) WITHOUT ROWID`,
  mysql: `CREATE TABLE IF NOT EXISTS bz_tool_failures (
    job_id VARCHAR(64) NOT NULL, tool VARCHAR(191) NOT NULL, streak INT NOT NULL, PRIMARY KEY (job_id, tool)) ${TABLE}`,
};
