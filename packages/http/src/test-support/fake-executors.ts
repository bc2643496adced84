import type { CallResult, executor, HandedOver, Proposal } from '@bailing/engine';
import { BailingError } from '@bailing/plugin-api';
import type { ExecutorApi, ExecutorCaller } from '../index.js';
import { JOB_ID } from './fake-hub.js';

export const TOOL_TOKEN = 'f'.repeat(64);

/** An executor door of plain memory: one queue, long polls, and what was asked. */
export class FakeExecutors implements ExecutorApi {
  readonly queue: string[] = [];
  readonly claims: { caller: ExecutorCaller; request: executor.ClaimRequest }[] = [];
  readonly beats: string[] = [];
  readonly reports: executor.ResultReport[] = [];
  readonly lookups: (readonly string[])[] = [];
  readonly proposals: Proposal[] = [];
  /** Jobs that came back undelivered. */
  readonly back: string[] = [];
  paused = false;
  reported: executor.Reported = { is: 'finished' };
  /** What `invokeTool` answers or throws. */
  invoked: () => CallResult = () => ({ ok: true, text: 'done', status: 200, sent: true });
  private readonly waiting = new Set<() => void>();

  offer(job: string): void {
    this.queue.push(job);
    for (const wake of this.waiting) wake();
  }

  get polls(): number {
    return this.waiting.size;
  }

  async claim(caller: ExecutorCaller, request: executor.ClaimRequest, signal: AbortSignal): Promise<HandedOver | null | 'paused'> {
    this.claims.push({ caller, request });
    if (this.paused) return 'paused';
    const until = Date.now() + request.wait_ms;
    while (!signal.aborted) {
      const job = this.queue.shift();
      if (job !== undefined) return { body: { job_id: job }, delivered: () => Promise.resolve(), undelivered: () => this.returned(job) };
      const left = until - Date.now();
      if (left <= 0) return null;
      await this.woken(left, signal);
    }
    return null;
  }

  private returned(job: string): Promise<void> {
    this.back.push(job);
    this.offer(job);
    return Promise.resolve();
  }

  private woken(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.waiting.delete(done);
        signal.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      this.waiting.add(done);
      signal.addEventListener('abort', done);
    });
  }

  heartbeat(_caller: ExecutorCaller, executorId: string): Promise<void> {
    this.beats.push(executorId);
    return Promise.resolve();
  }

  report(_caller: ExecutorCaller, report: executor.ResultReport): Promise<executor.Reported> {
    this.reports.push(report);
    return Promise.resolve(this.reported);
  }

  async toolDefs(job: string, token: string, names: readonly string[]): Promise<readonly object[]> {
    await this.admit(job, token);
    this.lookups.push(names);
    return names.map((name) => ({ name, description: '', parameters: {} }));
  }

  async invokeTool(job: string, token: string, proposal: Proposal): Promise<CallResult> {
    await this.admit(job, token);
    this.proposals.push(proposal);
    if (proposal.tool === '') throw new BailingError('BAILING_REQUEST_MALFORMED', { at: 'tool', detail: 'Name the tool to call.' });
    return this.invoked();
  }

  private admit(job: string, token: string): Promise<void> {
    if (job !== JOB_ID) return Promise.reject(new BailingError('BAILING_REQUEST_NOT_FOUND'));
    if (token !== TOOL_TOKEN) return Promise.reject(new BailingError('BAILING_REQUEST_UNAUTHORIZED'));
    return Promise.resolve();
  }
}
