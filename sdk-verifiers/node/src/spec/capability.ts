import { readRate } from './rate.js';
import type { Tool } from './types.js';

type Members = Record<string, unknown>;

/** Keeps what says something: null, false, empty texts and empty lists leave nothing behind. */
export function stated(members: Members): Members {
  const said = ([, value]: [string, unknown]): boolean =>
    value !== undefined &&
    value !== null &&
    value !== false &&
    value !== '' &&
    value !== 0 &&
    !(Array.isArray(value) && value.length === 0);
  return Object.fromEntries(Object.entries(members).filter(said));
}

function section(members: Members): Members | undefined {
  const kept = stated(members);
  return Object.keys(kept).length === 0 ? undefined : kept;
}

function execution(tool: Tool): Members | undefined {
  const write = tool.method !== 'GET';
  return section({
    readonly: write && tool.readonly === true,
    idempotent: write && tool.idempotent === true,
    timeout_ms: tool.timeoutMs,
    rate_limit: tool.rateLimit ? readRate(tool.rateLimit) : undefined,
  });
}

/** The `x-agent-capability` of an operation (WIRE 5). Risk is written whenever the author stated it, low included. */
export function capability(tool: Tool): Members {
  return {
    version: 1,
    enabled: true,
    scope: tool.scope.trim(),
    ...stated({
      subject: section({ required: tool.requiresSubject }),
      risk: section({ level: tool.risk }),
      approval: section({ required: tool.confirm, when: tool.confirmWhen, prompt: tool.confirmPrompt }),
      execution: execution(tool),
      audit: section({ sensitive: tool.sensitive }),
      outcome: tool.outcome && section({ result: tool.outcome.result, side_effect: tool.outcome.sideEffect }),
      guidance: section({ when_to_use: tool.whenToUse, returns: tool.returns, examples: tool.examples, context: tool.context }),
    }),
  };
}
