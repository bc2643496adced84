import type { Gate, GovernedCall, Verdict } from '@bailing/plugin-api';
import type { CallDeps, Named } from './deps.js';

/** One gate's answer, kept apart so that `explain` and audit can name it. */
export interface Judged {
  readonly gate: string;
  readonly verdict: Verdict;
}

/** The joined verdict: the strictest one, and every hold that an approval must answer. */
export interface Joined {
  readonly verdict: Verdict;
  readonly by: string;
  readonly holds: readonly Judged[];
}

/** Asks every gate about one call, all of them at once. No effects: `explain` uses it as it stands. */
export function judge(call: GovernedCall, deps: Pick<CallDeps, 'gates' | 'gateTimeoutMs'>): Promise<readonly Judged[]> {
  // One signal for all: a gate that is late denies, so what the others think does not matter any more.
  const abort = new AbortController();
  return Promise.all(
    deps.gates.map(async (gate) => ({ gate: `${gate.plugin}/${gate.name}`, verdict: await ask(gate, call, deps.gateTimeoutMs, abort) })),
  );
}

/** deny > hold > allow; among equals the first in plugin order speaks. Adding a gate can only tighten. */
export function join(judged: readonly Judged[]): Joined {
  const holds = judged.filter(({ verdict }) => verdict.is === 'hold');
  const strictest = judged.find(({ verdict }) => verdict.is === 'deny') ?? holds[0];
  return { verdict: strictest?.verdict ?? { is: 'allow' }, by: strictest?.gate ?? '', holds };
}

/** The holds of a joined verdict, each by gate and policy: what an approval lists and answers. */
export function policiesOf(joined: Joined): readonly string[] {
  return joined.holds.flatMap(({ gate, verdict }) => (verdict.is === 'hold' ? [`${gate}:${verdict.policy}`] : []));
}

async function ask(named: Named<Gate>, call: GovernedCall, timeoutMs: number, abort: AbortController): Promise<Verdict> {
  let timer: NodeJS.Timeout | undefined;
  try {
    const asked = performance.now();
    // A gate that answers at once costs no timer; one that kept the process busy for longer than its time is late all the same.
    const answer = named.value.judge(call, abort.signal);
    if (performance.now() - asked > timeoutMs) return failed(named, `took longer than ${String(timeoutMs)} ms`);
    if (!isPromise(answer)) return checked(answer, named);
    const late = new Promise<Verdict>((resolve) => {
      timer = setTimeout(() => {
        resolve(failed(named, `took longer than ${String(timeoutMs)} ms`));
        abort.abort();
      }, timeoutMs);
    });
    return checked(await Promise.race([answer, late]), named);
  } catch {
    return failed(named, 'threw');
  } finally {
    clearTimeout(timer);
  }
}

function isPromise(value: unknown): value is Promise<Verdict> {
  return typeof (value as { then?: unknown } | null)?.then === 'function';
}

/** Whatever is not exactly a verdict is a deny. */
function checked(verdict: Verdict, named: Named<Gate>): Verdict {
  const given = verdict as { is?: unknown; reason?: unknown; code?: unknown; policy?: unknown } | null | undefined;
  if (given?.is === 'allow') return { is: 'allow' };
  if (given?.is === 'hold' && typeof given.policy === 'string' && typeof given.reason === 'string') {
    return {
      ...(verdict as Extract<Verdict, { is: 'hold' }>),
      policy: short(given.policy, CODE_CHARS),
      reason: short(given.reason, REASON_CHARS),
    };
  }
  if (given?.is === 'deny' && typeof given.code === 'string' && typeof given.reason === 'string') {
    return { is: 'deny', code: short(given.code, CODE_CHARS), reason: short(given.reason, REASON_CHARS) };
  }
  return failed(named, 'gave no verdict');
}

const CODE_CHARS = 191;
const REASON_CHARS = 500;

/** What a plugin says reaches audit, approver and model; it is bounded here, once. */
function short(text: string, chars: number): string {
  return text.length <= chars ? text : text.slice(0, chars).toWellFormed();
}

function failed(named: Named<Gate>, how: string): Verdict {
  return { is: 'deny', code: 'BAILING_GATE_FAILED', reason: `gate ${named.plugin}/${named.name} ${how}` };
}
