import { type Migration, TABLE } from './migration.js';

/** What is long, kept apart from the row that every call of a job touches. */
export const jobTexts: Migration = {
  name: '0005-job-texts',
  sqlite: `CREATE TABLE IF NOT EXISTS bz_job_texts (
    job_id TEXT NOT NULL PRIMARY KEY, input TEXT NOT NULL, metadata TEXT NOT NULL, result TEXT, error TEXT, usage_json TEXT,
    callback_url TEXT)`,
  mysql: `CREATE TABLE IF NOT EXISTS bz_job_texts (
    job_id VARCHAR(64) NOT NULL PRIMARY KEY, input LONGTEXT NOT NULL, metadata LONGTEXT NOT NULL, result LONGTEXT, error LONGTEXT,
    usage_json LONGTEXT, callback_url LONGTEXT) ${TABLE}`,
};
