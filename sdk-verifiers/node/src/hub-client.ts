export interface HubClientOptions {
  readonly baseUrl: string;
  /** Client token. */
  readonly token: string;
  /** Milliseconds for one request; 8000 unless stated. */
  readonly timeoutMs?: number;
  readonly fetchImpl?: typeof fetch;
}

export interface RunRequest {
  /** Repeats with the same id are answered with the same job. */
  readonly requestId: string;
  readonly route: string;
  readonly input: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly callbackUrl?: string;
  /** Wait up to so many milliseconds for the end of the job by reading it; never sent to the hub, which refuses unknown members. */
  readonly waitMs?: number;
}

export interface SendRequest {
  readonly requestId: string;
  readonly channel: string;
  readonly to: string | readonly string[];
  readonly text?: string;
  readonly images?: readonly string[];
  readonly files?: readonly { readonly url: string; readonly name?: string }[];
  readonly card?: Readonly<Record<string, unknown>>;
}

export type HubAnswer = Record<string, unknown>;

/** A request the hub refused, could not be reached for, or answered with something else than JSON. */
export class HubError extends Error {
  /** HTTP status; 0 when there was no answer. */
  readonly status: number;
  /** The parsed body of the answer, or `null`. */
  readonly response: unknown;
  constructor(message: string, status: number, response: unknown, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'HubError';
    this.status = status;
    this.response = response;
  }
}

const OVER = new Set(['done', 'error', 'rejected']);
const MAX_BYTES = 8 * 1024 * 1024;
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > MAX_BYTES) throw new HubError(`The answer of the hub is larger than ${MAX_BYTES} bytes.`, response.status, null);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}

/** A small client of the hub's HTTP API (WIRE 2, 10.5). No retries: repeat `run` and `send` with the same `requestId` yourself. */
export class HubClient {
  readonly #base: string;
  readonly #token: string;
  readonly #timeoutMs: number;
  readonly #fetch: typeof fetch;

  constructor(options: HubClientOptions) {
    this.#base = options.baseUrl.replace(/\/+$/, '');
    this.#token = options.token;
    this.#timeoutMs = options.timeoutMs ?? 8000;
    this.#fetch = options.fetchImpl ?? fetch;
  }

  /** Submits a job; answers `{job_id, status, …}`. */
  async run(request: RunRequest): Promise<HubAnswer> {
    const { requestId, route, input, metadata, callbackUrl, waitMs } = request;
    const submitted = await this.post('/run', { request_id: requestId, route, input, metadata, callback_url: callbackUrl });
    return waitMs === undefined ? submitted : this.#wait(submitted, Date.now() + waitMs);
  }

  /** Reads a job. */
  getJob(id: string): Promise<HubAnswer> {
    return this.get(`/jobs/${encodeURIComponent(id)}`);
  }

  /** Sends a message through a channel of the hub. */
  send(request: SendRequest): Promise<HubAnswer> {
    const { requestId, ...rest } = request;
    return this.post('/send', { request_id: requestId, ...rest });
  }

  get(path: string): Promise<HubAnswer> {
    return this.request('GET', path);
  }

  post(path: string, body: object): Promise<HubAnswer> {
    return this.request('POST', path, body);
  }

  /** Any request; answers the parsed JSON object. @throws {HubError} on every other outcome. */
  async request(method: string, path: string, body?: object): Promise<HubAnswer> {
    const response = await this.#send(method, path, body);
    const value = parse(await readText(response));
    const object = typeof value === 'object' && value !== null ? (value as HubAnswer) : null;
    if (!response.ok) {
      const says = typeof object?.['error'] === 'string' ? object['error'] : `HTTP ${response.status}`;
      throw new HubError(says, response.status, value);
    }
    if (object === null) throw new HubError('The hub did not answer with JSON. Is the base URL right?', response.status, value);
    return object;
  }

  async #send(method: string, path: string, body?: object): Promise<Response> {
    const headers: Record<string, string> = { authorization: `Bearer ${this.#token}`, accept: 'application/json' };
    if (body !== undefined) headers['content-type'] = 'application/json';
    const signal = AbortSignal.timeout(this.#timeoutMs);
    const init: RequestInit = { method, headers, redirect: 'manual', signal };
    if (body !== undefined) init.body = JSON.stringify(body);
    try {
      return await this.#fetch(this.#base + path, init);
    } catch (cause) {
      throw new HubError('The hub could not be reached, or did not answer in time.', 0, null, cause);
    }
  }

  async #wait(submitted: HubAnswer, until: number): Promise<HubAnswer> {
    let job = submitted;
    while (!OVER.has(String(job['status'])) && Date.now() < until) {
      await pause(Math.min(250, Math.max(0, until - Date.now())));
      job = { ...submitted, ...(await this.getJob(String(submitted['job_id']))) };
    }
    return job;
  }
}
