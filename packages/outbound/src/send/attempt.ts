import { setMaxListeners } from 'node:events';
import type { Clock, Outcome } from '@bailing/plugin-api';
import type { Dispatcher } from 'undici';
import { BodyReader, readEncoding, type BodyEnd } from './body-reader.js';
import { reasonOf } from './reason.js';
import { decodeText } from './text.js';

export interface AttemptRequest {
  readonly method: string;
  /** Base prefix and signed target, exactly as it goes on the request line. */
  readonly path: string;
  /** Flat list of names and values, one byte per character. */
  readonly headers: readonly string[];
  readonly body: Buffer | null;
  readonly timeoutMs: number;
  readonly sendBy: number;
  readonly budget: number;
}

type Stage = 'waiting' | 'started' | 'settled';

/**
 * One attempt at one call. `waiting` lasts until undici is about to write: whatever ends the attempt there is `not-sent`. From then on a byte may have
 * left, and whatever keeps a whole answer away is `unknown`. Settles exactly once; the time limit covers connecting, writing and the whole body.
 */
export class Attempt implements Dispatcher.DispatchHandler {
  private stage: Stage = 'waiting';
  private controller: Dispatcher.DispatchController | undefined;
  private reader: BodyReader | undefined;
  private readonly timer: NodeJS.Timeout;
  private readonly onAbort = (): void => this.giveUp('the caller gave up');

  constructor(
    private readonly request: AttemptRequest,
    private readonly clock: Clock,
    private readonly signal: AbortSignal,
    private readonly resolve: (outcome: Outcome) => void,
  ) {
    this.timer = setTimeout(() => this.giveUp(`no whole answer within ${request.timeoutMs} ms`), request.timeoutMs);
    // One signal of a job serves all its parallel calls; every listener is taken off again.
    setMaxListeners(0, signal);
    signal.addEventListener('abort', this.onAbort, { once: true });
  }

  /** undici calls this right before it writes. A throw here keeps the request from the wire and the connection usable. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.stage === 'started') {
      this.giveUp('the connection asked for the request a second time');
      throw new Error('a call is written once');
    }
    if (this.stage === 'waiting' && this.clock.now() >= this.request.sendBy) this.settle(lateOutcome());
    if (this.stage === 'settled') throw new Error('this attempt is over');
    this.stage = 'started';
    this.controller = controller;
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: Record<string, string | string[] | undefined>): void {
    if (status < 200 || this.stage !== 'started') return;
    const encoding = readEncoding(one(headers['content-encoding']));
    if (encoding === null) return this.giveUp('the answer has an encoding that was not asked for');
    if (Number(one(headers['content-length']) ?? 0) > this.request.budget) return this.giveUp(tooLarge(this.request.budget));
    const contentType = one(headers['content-type']) ?? '';
    this.reader = new BodyReader(encoding, this.request.budget, (end) => this.bodyEnded(status, contentType, end));
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.reader?.push(chunk);
  }

  onResponseEnd(): void {
    this.reader?.finish();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.giveUp(reasonOf(error));
  }

  private bodyEnded(status: number, contentType: string, end: BodyEnd): void {
    if (end.is === 'too-large') return this.giveUp(tooLarge(this.request.budget));
    if (end.is === 'broken') return this.giveUp(end.why);
    const body = decodeText(end.bytes, contentType);
    this.settle({ is: 'answered', answer: { status, contentType, body, bytes: end.bytes.length } });
  }

  /** Ends the attempt without an answer: provably unsent before the first byte, unknown after it. */
  private giveUp(why: string): void {
    if (this.stage === 'settled') return;
    const controller = this.controller;
    this.settle(this.stage === 'waiting' ? { is: 'not-sent', why } : { is: 'unknown', why });
    if (controller && !controller.aborted) controller.abort(new Error(why));
  }

  private settle(outcome: Outcome): void {
    if (this.stage === 'settled') return;
    this.stage = 'settled';
    clearTimeout(this.timer);
    this.signal.removeEventListener('abort', this.onAbort);
    this.reader?.cancel();
    this.resolve(outcome);
  }
}

export function lateOutcome(): Outcome {
  return { is: 'not-sent', why: 'the time to send by had passed' };
}

function tooLarge(budget: number): string {
  return `the answer is larger than ${budget} bytes`;
}

function one(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header.join(', ') : header;
}
