import { CommandFailure } from './out.js';

export interface TraceEvent {
  readonly ts: string;
  readonly event: string;
  readonly severity: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

export interface Job {
  readonly job_id: string;
  readonly status: string;
  readonly result?: {
    readonly text?: string;
    readonly governance?: {
      readonly pending?: readonly { readonly approval_id: number; readonly tool: string; readonly summary: string }[];
    };
  };
  readonly error?: string;
}

const TERMINAL = new Set(['done', 'error', 'rejected']);

/** A refusal of the hub; `problems` where it listed fields. */
export class HubRefusal extends CommandFailure {
  constructor(
    message: string,
    readonly problems: readonly { readonly at: string; readonly says: string }[] | undefined,
  ) {
    super(message);
  }
}

/** Talks to a running hub as a backend would. */
export class HubClient {
  constructor(
    private readonly url: string,
    private readonly token: string,
  ) {}

  run(request: { request_id: string; route: string; input: string; metadata: object }): Promise<{ job_id: string }> {
    return this.ask('POST', '/run', request) as Promise<{ job_id: string }>;
  }

  /** Polls until the job ends. */
  async follow(jobId: string, timeoutMs = 180_000): Promise<Job> {
    const until = Date.now() + timeoutMs;
    for (let pause = 40; Date.now() < until; pause = Math.min(500, pause * 1.5)) {
      const job = (await this.ask('GET', `/jobs/${jobId}`)) as Job;
      if (TERMINAL.has(job.status)) return job;
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
    throw new CommandFailure(`Job ${jobId} did not end within ${String(timeoutMs / 1000)} s; it goes on in the hub.`);
  }

  async trace(jobId: string): Promise<readonly TraceEvent[]> {
    const body = (await this.ask('GET', `/admin/api/runs/${jobId}/trace`)) as { trace: { events: readonly TraceEvent[] } };
    return body.trace.events;
  }

  /** Any other request; refusals are told as the hub words them. */
  request(method: string, path: string, body?: object): Promise<unknown> {
    return this.ask(method, path, body);
  }

  private async ask(method: string, path: string, body?: object): Promise<unknown> {
    let response: Response;
    try {
      response = await fetch(this.url + path, {
        method,
        headers: {
          ...(this.token !== '' && { authorization: `Bearer ${this.token}` }),
          ...(body && { 'content-type': 'application/json' }),
        },
        ...(body && { body: JSON.stringify(body) }),
      });
    } catch {
      throw new CommandFailure(`No hub answers at ${this.url}. Start one with \`bailing start\`, or name another with --url.`);
    }
    const answer = (await response.json().catch(() => ({}))) as {
      error?: string;
      detail?: unknown;
      fix?: string;
      problems?: HubRefusal['problems'];
    };
    if (!response.ok)
      throw new HubRefusal(
        `The hub answered ${String(response.status)}: ${[saidBy(answer), answer.fix].filter(Boolean).join(' ')}`,
        answer.problems,
      );
    return answer;
  }
}

/** Some words are the contract's and say little: what they are about goes before them, and a sentence ends. */
function saidBy({ error = '', detail }: { readonly error?: string; readonly detail?: unknown }): string {
  const says = typeof detail === 'string' && detail !== '' ? detail : error;
  return says === '' || /[.!?]$/.test(says) ? says : `${says}.`;
}
