// A brain that fits on a page: it calls what the lines of the input say. Put your agent in its place.

const LINE = /^\s*([a-z][a-z0-9_]*)\s+(\{.*\})\s*$/;
/** How long a call waits for a rate limit, at most so often. */
const LATER_MS = 5_000;
const LATER_MAX = 12;

/** `order_read {"order_no":"A-1001"}`, one call a line; other lines are prose. */
export async function lineBrain(job, tools) {
  const calls = job.input.split('\n').flatMap((line) => {
    const [, tool, args] = LINE.exec(line) ?? [];
    return tool ? [{ tool, args: parsed(args) }] : [];
  });
  const known = new Set((await tools.describe([...new Set(calls.map(({ tool }) => tool))])).map(({ name }) => name));
  const said = [];
  for (const { tool, args } of calls) {
    if (args === undefined) {
      said.push(`${tool}: malformed These arguments are no JSON object.`);
      continue;
    }
    if (!known.has(tool)) {
      said.push(`${tool}: not granted here`);
      continue;
    }
    const outcome = await patiently(() => tools.call(tool, args));
    said.push(`${tool}: ${outcome.is} ${outcome.text}`);
    // A held call is run by the hub itself once it is approved, and the job is handed out again: there is nothing to wait for.
    if (outcome.is === 'held' || outcome.is === 'over') break;
  }
  return { text: said.join('\n') || 'No line of the input names a tool.' };
}

/** Undefined for what is no JSON: one bad line must not take the others with it. */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function patiently(call) {
  for (let left = LATER_MAX; ; left -= 1) {
    const outcome = await call();
    if (outcome.is !== 'later' || left === 0) return outcome;
    await new Promise((resolve) => setTimeout(resolve, LATER_MS));
  }
}
