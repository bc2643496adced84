import { CLIENT_TOKEN, SERVER_TOKEN } from './world.js';

export interface Answer {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

export async function ask(url: string, method: string, path: string, body?: unknown, token: string | null = CLIENT_TOKEN): Promise<Answer> {
  const response = await fetch(url + path, {
    method,
    headers: {
      ...(token !== null && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

export function submit(url: string, requestId: string, input: string, metadata: object = { operator_uid: 'u-ada' }): Promise<Answer> {
  return ask(url, 'POST', '/run', { request_id: requestId, route: 'orders', input, metadata });
}

export async function waitForEnd(url: string, jobId: string, timeoutMs = 30_000): Promise<Record<string, unknown>> {
  const until = Date.now() + timeoutMs;
  while (Date.now() < until) {
    const { body } = await ask(url, 'GET', `/jobs/${jobId}`);
    if (['done', 'error', 'rejected'].includes(String(body.status))) return body;
    await new Promise((resolve) => setTimeout(resolve, 40));
  }
  throw new Error(`job ${jobId} did not end in ${String(timeoutMs)} ms`);
}

export interface Event {
  readonly event: string;
  readonly detail: Record<string, unknown>;
}

export async function eventsOf(url: string, jobId: string): Promise<Event[]> {
  const { body } = await ask(url, 'GET', `/admin/api/runs/${jobId}/trace`, undefined, SERVER_TOKEN);
  return (body.trace as { events: Event[] }).events;
}
