import { statement } from './statement.js';

const HELD = `SELECT ?, ?, ? FROM bz_jobs WHERE id = ? AND claim = ? AND status IN ('running', 'dispatched')`;

/** Written only while the job is held under this claim. */
export const keepSaid = statement<[job: string, said: string, savedAt: number, heldJob: string, claim: string]>('keep-said', {
  sqlite: `INSERT INTO bz_job_said (job_id, said, saved_at) ${HELD}
    ON CONFLICT (job_id) DO UPDATE SET said = excluded.said, saved_at = excluded.saved_at`,
  mysql: `INSERT INTO bz_job_said (job_id, said, saved_at) ${HELD}
    ON DUPLICATE KEY UPDATE said = VALUES(said), saved_at = VALUES(saved_at)`,
});
