import { statement } from './statement.js';

const HELD = `SELECT ?, ?, ? FROM bz_jobs WHERE id = ? AND claim = ? AND status = 'running'`;

/** Written only while the job is held under this claim. */
export const saveRound = statement<[job: string, state: string, savedAt: number, heldJob: string, claim: string]>('save-round', {
  sqlite: `INSERT INTO bz_job_rounds (job_id, state, saved_at) ${HELD}
    ON CONFLICT (job_id) DO UPDATE SET state = excluded.state, saved_at = excluded.saved_at`,
  mysql: `INSERT INTO bz_job_rounds (job_id, state, saved_at) ${HELD}
    ON DUPLICATE KEY UPDATE state = VALUES(state), saved_at = VALUES(saved_at)`,
});

export const roundOfJob = statement<[job: string], { readonly state: string }>(
  'round-of-job',
  'SELECT state FROM bz_job_rounds WHERE job_id = ?',
);

export const forgetRound = statement<[job: string]>('forget-round', 'DELETE FROM bz_job_rounds WHERE job_id = ?');
