// The loop of an executor: claim a job, show that it is alive while it works, report. What it does with a job is `work`.
import { JobLost, NotAllowed } from './hub.mjs';

const BACK_OFF_MS = [1_000, 2_000, 5_000, 15_000];

/**
 * Works until `signal` aborts; a job in hand is finished first.
 * @param {{
 *   hub: ReturnType<import('./hub.mjs').connect>, id: string, targets: readonly string[], signal: AbortSignal,
 *   work: (job: any, tools: any) => Promise<{ text: string }>,
 *   waitMs?: number, heartbeatMs?: number, log?: (text: string) => void,
 * }} options `heartbeatMs` well below the lease of four minutes
 */
export async function runExecutor({ hub, id, targets, work, signal, waitMs = 25_000, heartbeatMs = 30_000, log = () => undefined }) {
  const who = { executor_id: id, targets };
  for (let failures = 0; !signal.aborted;) {
    try {
      const started = Date.now();
      const { job, paused } = await hub.claim(who, waitMs, signal);
      failures = 0;
      if (job) await perform({ hub, who, job, work, heartbeatMs, log });
      // A hub that is paused, or about to stop, answers at once.
      else if (paused || Date.now() - started < 200) await rest(Math.min(1_000, waitMs), signal);
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof NotAllowed) throw error;
      log(`no job: ${error.message}`);
      await rest(BACK_OFF_MS[Math.min(failures++, BACK_OFF_MS.length - 1)] * (0.5 + Math.random()), signal);
    }
  }
}

async function perform({ hub, who, job, work, heartbeatMs, log }) {
  const beat = setInterval(() => void hub.heartbeat(who), heartbeatMs);
  const started = Date.now();
  const usage = () => ({ usage: { duration_ms: Date.now() - started } });
  try {
    const output = await work(job, hub.tools(job));
    await hub.report(job, { ok: true, output, ...usage() });
    log(`${job.job_id} is reported`);
  } catch (error) {
    if (error instanceof JobLost) return void log(`${job.job_id} is not ours any more: ${error.message}`);
    // The hub decides what follows: another attempt, or the end. It never repeats a write whose outcome is unknown.
    log(`${job.job_id} failed: ${error.message}`);
    await hub.report(job, { ok: false, output: {}, error: String(error.message).slice(0, 500), ...usage() });
  } finally {
    clearInterval(beat);
  }
}

function rest(ms, signal) {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done, { once: true });
    function done() {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    }
  });
}
