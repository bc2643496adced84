// The hub as an executor sees it: claim, heartbeat, report, and the tools of one job. Needs nothing but fetch.

/** This executor may not do what it asked for; asking again changes nothing. */
export class NotAllowed extends Error {}
/** The job is not ours any more (ended, cancelled, handed to somebody else). Drop it and report nothing. */
export class JobLost extends Error {}
/** A write of this job has no known outcome, or nothing can be written down at the moment. Call nothing more, and report a failure. */
export class JobStopped extends Error {}
/** No answer, or one that says nothing: the same request may be sent again. */
class NoAnswer extends Error {}

/**
 * @param {{ url: string, token: string, retryMs?: readonly number[] }} options `retryMs`: pauses before a request without an answer is repeated
 */
export function connect({ url, token, retryMs = [2_000, 4_000, 6_000] }) {
  const post = (path, body, signal) => ask(url, token, 'POST', path, body, signal);
  return {
    /** Waits up to `waitMs` for a job. Aborting it drops the connection, and the hub hands over to somebody else. */
    async claim(who, waitMs, signal) {
      const { status, body } = await post('/executor/claim', { ...who, wait_ms: waitMs }, signal);
      if (status === 200) return { job: body.job ?? null, paused: body.paused === true };
      throw refused(status, body);
    },
    /** Extends the leases of this executor. One that is lost is caught up by the next. */
    heartbeat: (who) => post('/executor/heartbeat', who).catch(() => undefined),
    /** A report is repeated: a stale one is ignored by its claim token, so it cannot do harm. */
    async report(job, result) {
      const { status, body } = await persist(retryMs, () =>
        post('/executor/result', { job_id: job.job_id, claim_token: job.claim_token, ...result }),
      );
      if (status !== 200) throw refused(status, body);
      return body;
    },
    tools: (job) => toolsOf(url, job, retryMs),
  };
}

/** Definitions that one request may ask for. */
const NAMES_MAX = 20;

function toolsOf(url, job, retryMs) {
  const { tools: block } = job;
  const token = block?.tool_token ?? '';
  return {
    /** What the route grants: whole definitions, or short entries where it grants more than twelve. Empty where it grants none. */
    list: () => block?.defs ?? block?.catalog ?? [],
    /** Definitions with parameters. Looking them up costs no call. */
    async describe(names) {
      if (!block || block.mode === 'inline') return (block?.defs ?? []).filter(({ name }) => names.includes(name));
      const defs = [];
      for (let from = 0; from < names.length; from += NAMES_MAX) {
        const some = names
          .slice(from, from + NAMES_MAX)
          .map(encodeURIComponent)
          .join(',');
        const { status, body } = await persist(retryMs, () => ask(url, token, 'GET', `${block.defs_url}?names=${some}`));
        if (status === 401 || status === 404) throw new JobLost(body.error);
        if (status === 200) defs.push(...body.defs);
      }
      return defs;
    },
    /**
     * One call through the governed exit. Answers `{ is, text, … }`; `text` is written for a model.
     * @throws JobLost, JobStopped
     */
    async call(tool, args) {
      if (!block) return { is: 'malformed', text: 'This job has no tools.' };
      // The same call again is answered with the recorded result, never sent twice: so a lost answer may be asked for.
      const answer = await persist(retryMs, () => ask(url, token, 'POST', block.invoke_url, { tool, arguments: args }));
      return outcomeOf(answer);
    },
  };
}

/** Every row of the invoke table, as what an executor does about it. */
export function outcomeOf({ status, body }) {
  const text = String(body.text ?? body.error ?? '');
  if (status === 401 || status === 404) throw new JobLost(text);
  if (status === 503) throw new JobStopped(text);
  if (status === 429) return { is: 'over', text };
  if (status !== 200) return { is: 'malformed', text };
  if (body.ok === true) return { is: 'done', text, status: body.status };
  if (body.governance_state === 'approval_pending') return { is: 'held', text, approval: body.approval_id };
  // Reconciliation, and whatever a later hub may add to it: what forbids a repeat ends the work.
  if (body.auto_retry_allowed === false) throw new JobStopped(text);
  if (body.status === 429) return { is: 'later', text };
  return body.status > 0 ? { is: 'failed', text, status: body.status } : { is: 'denied', text };
}

async function persist(pauses, send) {
  for (const pause of pauses) {
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
  return send();
}

async function ask(url, token, method, path, body, signal) {
  let answer;
  try {
    answer = await fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    });
    const read = await answer.json();
    // 503 with a body of its own is an answer of the journal; other 5xx say nothing about the request.
    if (answer.status < 500 || read.auto_retry_allowed === false) return { status: answer.status, body: read };
  } catch (cause) {
    throw signal?.aborted ? cause : new NoAnswer(`no answer to ${method} ${path}`, { cause });
  }
  throw new NoAnswer(`${method} ${path} was answered ${answer.status}`);
}

function refused(status, body) {
  const says = `${status}: ${body.error ?? ''}`;
  return status === 401 || status === 403 || status === 400 ? new NotAllowed(says) : new Error(says);
}
