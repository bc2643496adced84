import { statement } from './statement.js';

/** WIRE §6.4: two consecutive failures of one tool end its use in the job. */
export const addFailure = statement<[job: string, tool: string]>('add-failure', {
  sqlite: `INSERT INTO bz_tool_failures (job_id, tool, streak) VALUES (?, ?, 1) ON CONFLICT (job_id, tool) DO UPDATE SET streak = streak + 1`,
  mysql: `INSERT INTO bz_tool_failures (job_id, tool, streak) VALUES (?, ?, 1) ON DUPLICATE KEY UPDATE streak = streak + 1`,
});

export const clearFailures = statement<[job: string, tool: string]>(
  'clear-failures',
  'DELETE FROM bz_tool_failures WHERE job_id = ? AND tool = ?',
);

export const failureStreak = statement<[job: string, tool: string], { readonly streak: number }>(
  'failure-streak',
  'SELECT streak FROM bz_tool_failures WHERE job_id = ? AND tool = ?',
);
