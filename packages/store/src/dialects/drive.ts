import type { Reply, Steps } from '../lane/unit.js';
import type { Prepared, Value } from '../statements/statement.js';

/** Runs a generator to its end in the current turn of the event loop, but for the statements that are answered by a promise. */
export async function drivePartly<R>(
  steps: Steps<R>,
  execute: (statement: Prepared, params: readonly Value[]) => Reply | Promise<Reply>,
): Promise<R> {
  let step = steps.next();
  while (step.done !== true) {
    let reply: Reply | Promise<Reply>;
    try {
      reply = execute(step.value.statement, step.value.params);
      if (reply instanceof Promise) reply = await reply;
    } catch (error) {
      step = steps.throw(error);
      continue;
    }
    step = steps.next(reply);
  }
  return step.value;
}

export async function driveAsync<R>(
  steps: Steps<R>,
  execute: (statement: Prepared, params: readonly Value[]) => Promise<Reply>,
): Promise<R> {
  let step = steps.next();
  while (step.done !== true) {
    let reply: Reply;
    try {
      reply = await execute(step.value.statement, step.value.params);
    } catch (error) {
      step = steps.throw(error);
      continue;
    }
    step = steps.next(reply);
  }
  return step.value;
}
