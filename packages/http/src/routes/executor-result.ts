import type { executor } from '@bailing/engine';
import { executorCaller, executorsOf, json, type Route } from '../route.js';
import { readReport } from './executor-request.js';

/** `POST /executor/result` (WIRE §3.6). A report that no longer counts is answered 200 with a note, so that the executor lets go of the job. */
export const executorResult: Route = {
  method: 'POST',
  path: '/executor/result',
  access: ['executor', 'admin'],
  async handle(request, hub) {
    const reported = await executorsOf(hub).report(executorCaller(request), readReport(json(request)));
    return { status: 200, body: answer(reported) };
  },
};

function answer(reported: executor.Reported): Record<string, unknown> {
  if (reported.is === 'ignored') return { ok: true, status: reported.status, note: reported.note };
  return reported.is === 'retried' ? { ok: true, retried: true } : { ok: true };
}
