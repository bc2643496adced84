// A backend and an executor of one hub, over keep-alive connections.
import http from 'node:http';
import { Pool } from 'undici';
import { CLIENT_TOKEN, EXECUTOR_TARGET, EXECUTOR_TOKEN } from '../hub-config.js';
import { shoot } from '../parties/shoot.js';
import { SUBJECT } from '../traffic.js';

export interface Accepted {
  readonly job: string;
  readonly ms: number;
}

export class JobsClient {
  private readonly pool: Pool;
  private readonly run = process.pid.toString(36) + Date.now().toString(36);
  private serial = 0;

  constructor(private readonly url: string) {
    this.pool = new Pool(url, { connections: 64, pipelining: 1, keepAliveTimeout: 60_000 });
  }

  /** Submits one job. @throws Error when it is not accepted */
  async submit(route: string, script: unknown = []): Promise<Accepted> {
    const request_id = `bench-${this.run}-${String((this.serial += 1))}`;
    const from = performance.now();
    const body = await this.ask('POST', '/run', CLIENT_TOKEN, 202, {
      request_id,
      route,
      input: JSON.stringify(script),
      metadata: { operator_uid: SUBJECT },
    });
    return { job: String(body.job_id), ms: performance.now() - from };
  }

  /** So many jobs, so many at once; milliseconds of every submission. */
  async submitAll(count: number, atOnce: number, route: string, script: (nth: number) => unknown = () => []): Promise<number[]> {
    const taken: number[] = [];
    let left = count;
    const work = async (): Promise<void> => {
      while (left-- > 0) taken.push((await this.submit(route, script(left))).ms);
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    return taken;
  }

  /** Until no job of the hub waits or runs. */
  async idle(): Promise<void> {
    for (;;) {
      const { queue } = (await this.ask('GET', '/health', CLIENT_TOKEN, 200)) as { queue: { running: number; waiting: number } };
      if (queue.running + queue.waiting === 0) return;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  async status(job: string): Promise<string> {
    return String((await this.ask('GET', `/jobs/${job}`, CLIENT_TOKEN, 200)).status);
  }

  /** A long poll; answers what it got. */
  async claim(): Promise<{ readonly job_id: string; readonly claim_token: string } | null> {
    const asked = { executor_id: 'bench-executor', targets: [EXECUTOR_TARGET], wait_ms: 10_000 };
    return (await this.ask('POST', '/executor/claim', EXECUTOR_TOKEN, 200, asked)).job as never;
  }

  async report(job_id: string, claim_token: string): Promise<void> {
    await this.ask('POST', '/executor/result', EXECUTOR_TOKEN, 200, { job_id, claim_token, ok: true, output: { text: 'done' } });
  }

  /** Opens so many event streams of one job and answers how to close them; each has said `open` by then. */
  async streams(job: string, count: number): Promise<() => void> {
    const agent = new http.Agent({ keepAlive: true, maxSockets: Infinity });
    const open: http.ClientRequest[] = [];
    const one = (): Promise<void> =>
      new Promise((resolve, reject) => {
        const headers = { authorization: `Bearer ${CLIENT_TOKEN}` };
        const request = http.get(`${this.url}/jobs/${job}/events`, { headers, agent }, (response) => {
          response.once('data', () => resolve());
          response.on('error', () => undefined);
        });
        request.once('error', reject);
        open.push(request);
      });
    for (let at = 0; at < count; at += 50) await Promise.all(Array.from({ length: Math.min(50, count - at) }, one));
    return () => {
      for (const request of open)
        request
          .off('error', () => undefined)
          .on('error', () => undefined)
          .destroy();
      agent.destroy();
    };
  }

  async close(): Promise<void> {
    await this.pool.destroy();
  }

  private async ask(method: 'GET' | 'POST', path: string, token: string, wanted: number, value?: object): Promise<Record<string, unknown>> {
    const headers = ['Content-Type', 'application/json', 'Authorization', `Bearer ${token}`];
    const { status, body } = await shoot(this.pool, { method, path, headers, body: value === undefined ? null : JSON.stringify(value) });
    if (status !== wanted) throw new Error(`${method} ${path} answered ${String(status)} ${body.slice(0, 300)}`);
    return JSON.parse(body) as Record<string, unknown>;
  }
}
