// Jobs are submitted and claimed before a measurement; each opens a door for as many calls as its route grants.
import { Pool } from 'undici';
import { shoot } from './parties/shoot.js';
import { SUBJECT, type Door } from './traffic.js';
import { CALLS_PER_JOB, CLIENT_TOKEN, EXECUTOR_TARGET, EXECUTOR_TOKEN } from './hub-config.js';

const AT_ONCE = 8;

interface Job {
  readonly job_id: string;
  readonly claim_token: string;
  readonly tools?: { readonly invoke_url: string; readonly tool_token: string };
}

/** Submits jobs through `/run` and claims them through `/executor/claim`, like a backend and an executor would. */
export class Doors {
  private readonly pool: Pool;
  private serial = 0;
  private readonly run = process.pid.toString(36) + Date.now().toString(36);
  private readonly held: Job[] = [];
  /** Milliseconds of every claim. */
  readonly claims: number[] = [];

  constructor(url: string) {
    this.pool = new Pool(url, { connections: AT_ONCE, pipelining: 1 });
  }

  /** Doors that are good for this many calls. @throws Error when the hub does not hand them out */
  async open(route: string, calls: number): Promise<Door[]> {
    const jobs = Math.ceil(calls / CALLS_PER_JOB);
    await this.eight(jobs, () => this.submit(route));
    const doors: Door[] = [];
    await this.eight(jobs, async () => void doors.push(await this.claim()));
    return doors;
  }

  /** Reports every claimed job as done, so that no old job is swept while something is measured. */
  async finish(): Promise<void> {
    await this.eight(this.held.length, async () => {
      const job = this.held.pop();
      if (!job) return;
      const { job_id, claim_token } = job;
      const { status, body } = await this.post('/executor/result', EXECUTOR_TOKEN, {
        job_id,
        claim_token,
        ok: true,
        output: { text: 'done' },
      });
      if (status !== 200) throw new Error(`/executor/result answered ${String(status)} ${body.slice(0, 300)}`);
    });
  }

  async close(): Promise<void> {
    await this.pool.destroy();
  }

  private async eight(count: number, one: () => Promise<void>): Promise<void> {
    let left = count;
    const worker = async (): Promise<void> => {
      while (left-- > 0) await one();
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
  }

  private async submit(route: string): Promise<void> {
    const request_id = `bench-${this.run}-${String((this.serial += 1))}`;
    const job = { request_id, route, input: 'Refund what arrived damaged.', metadata: { operator_uid: SUBJECT } };
    const { status, body } = await this.post('/run', CLIENT_TOKEN, job);
    if (status !== 202) throw new Error(`/run answered ${String(status)} ${body.slice(0, 300)}`);
  }

  private async claim(): Promise<Door> {
    const from = performance.now();
    const asked = { executor_id: 'bench-executor', targets: [EXECUTOR_TARGET], wait_ms: 5_000 };
    const { status, body } = await this.post('/executor/claim', EXECUTOR_TOKEN, asked);
    if (status !== 200) throw new Error(`/executor/claim answered ${String(status)} ${body.slice(0, 300)}`);
    const { job } = JSON.parse(body) as { job: Job | null };
    if (!job?.tools) throw new Error(`/executor/claim gave no job with tools: ${body.slice(0, 300)}`);
    this.claims.push(performance.now() - from);
    this.held.push(job);
    return { path: job.tools.invoke_url, token: job.tools.tool_token };
  }

  private post(path: string, token: string, value: object): Promise<{ status: number; body: string }> {
    const headers = ['Content-Type', 'application/json', 'Authorization', `Bearer ${token}`];
    return shoot(this.pool, { method: 'POST', path, headers, body: JSON.stringify(value) });
  }
}
