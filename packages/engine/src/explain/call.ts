import type { FrozenCall, GovernedCall, Spend } from '@bailing/plugin-api';
import { BailingError } from '@bailing/plugin-api';
import { argumentsFence, parseArguments, readArguments, type Args } from '../calls/fences/arguments.js';
import { scopeFence, stopFence } from '../calls/fences/scope.js';
import { judge, join, policiesOf, type Judged } from '../calls/gates.js';
import type { CallDeps, Proposal, Seat } from '../calls/index.js';
import { Refusal } from '../calls/refusal.js';
import { freeze, govern, spendsOf, subjectFence } from '../calls/steps.js';
import type { Granted } from '../catalog/index.js';
import type { RateStore } from '../ports/index.js';
import { findTool, type Found } from './find.js';
import { explainRequest, type Wire } from './request.js';
import { bucketSetting, gateSetting, locate, type RefusedCall } from './where.js';
import type { ExplainedCall, ExplainedGate, ExplainedSpend, Cause, Step, StepName } from './words.js';

export interface ExplainCallDeps extends CallDeps {
  readonly rates: Pick<RateStore, 'look'>;
  readonly wire: (provider: string, frozen: FrozenCall) => Wire | undefined;
}

const DEPENDS = [
  'whether this very call was made before in the job, or another write of it is unresolved',
  'how many calls of the job are used up',
  'whether the tool failed twice in a row in the job',
  'whether an approval of this very call was granted or denied before',
];

/** No approval exists yet that could be named: nothing was proposed. */
const HELD_FIX =
  'Propose the call: it is held for approval and sent once somebody approves it. Where it should need none, change the named setting.';

/** Walks the exit's own fences and gates in its order, and past a refusal as far as something is left to ask. Sends, counts and writes nothing. */
export async function explainCall(seat: Seat, proposal: Proposal, flags: readonly Cause[], deps: ExplainCallDeps): Promise<ExplainedCall> {
  const walk = new Walk(seat, proposal, deps);
  walk.fences(flags);
  const gates = await walk.gates();
  const spends = await walk.spends();
  const { governed, frozen } = walk;
  const refused = walk.steps.some(({ is }) => is === 'refuse');
  const joined = join(walk.judged);
  const held = joined.verdict.is === 'hold';
  const wire = governed && frozen ? deps.wire(governed.provider.name, frozen) : undefined;
  return {
    tool: proposal.tool,
    would: refused ? 'be_refused' : held ? 'be_held_for_approval' : 'be_sent',
    ...(governed && { args_hash: governed.argsHash }),
    steps: walk.steps,
    gates,
    ...(held && { approval: approvalOf(seat, policiesOf(joined), deps) }),
    spends,
    ...(governed && frozen && { request: explainRequest(governed, frozen, wire) }),
    depends_on_the_job: DEPENDS,
  };
}

function approvalOf(seat: Seat, holds: readonly string[], deps: CallDeps): NonNullable<ExplainedCall['approval']> {
  const approval = deps.settings().route(seat.job.route)?.tools?.approval;
  return { type: approval?.type ?? 'console', expires_after_ms: approval?.expires_after_ms ?? null, holds };
}

class Walk {
  readonly steps: Step[] = [];
  readonly found: Found | undefined;
  judged: readonly Judged[] = [];
  governed: GovernedCall | undefined;
  frozen: FrozenCall | undefined;
  private pinned: Granted | undefined;

  constructor(
    private readonly seat: Seat,
    private readonly proposal: Proposal,
    private readonly deps: ExplainCallDeps,
  ) {
    this.found = findTool(proposal.tool, seat, deps);
  }

  fences(flags: readonly Cause[]): void {
    const { seat, proposal, deps, found } = this;
    const inReach = this.step('scope', () => scopeFence(seat, proposal, deps));
    const granted = inReach ?? (found && { pinned: found.granted, today: found.granted });
    this.stops(granted?.today, flags);
    const args = this.step('arguments', () => (granted ? readArguments(proposal, granted.today.tool) : parseArguments(proposal)));
    if (!granted || !args) return this.notAsked('subject', 'schema', 'bytes');
    this.pinned = granted.pinned;
    const governed = govern(seat, granted.today, args, deps);
    this.step('subject', () => subjectFence(governed, granted.pinned));
    if (!this.fits(args, granted)) return this.notAsked('bytes');
    this.frozen = this.step('bytes', () => freeze(seat, governed, deps).frozen);
    this.governed = governed;
  }

  async gates(): Promise<readonly ExplainedGate[]> {
    const { governed, pinned, deps } = this;
    if (!governed || !pinned) return this.notAsked('gates') ?? [];
    const judged = [...(await judge(governed, deps))];
    if (pinned.tool.definition.fingerprint !== governed.tool.fingerprint)
      judged.push(...(await judge(Object.freeze({ ...governed, tool: pinned.tool.definition }), deps)));
    this.judged = judged;
    const { is } = join(judged).verdict;
    const causes = judged.flatMap((one) => this.gateCause(one));
    this.steps.push({ step: 'gates', is: is === 'deny' ? 'refuse' : is === 'hold' ? 'hold' : 'pass', causes });
    return judged.map(({ gate, verdict }) => this.explained(gate, verdict));
  }

  async spends(): Promise<readonly ExplainedSpend[]> {
    const { governed, deps } = this;
    const declared = governed && this.tried('quotas', () => declaredBy(governed, deps));
    if (!declared) return (governed ? undefined : this.notAsked('quotas')) ?? [];
    const looked = await deps.rates.look(declared);
    const shown = declared.map((spend, index) => this.spend(spend, looked[index] ?? 0));
    const over = shown.filter(({ left, cost }) => left < cost);
    const causes = over.map(({ bucket, used, limit }) =>
      this.cause({
        code: 'BAILING_RATE_LIMITED',
        reason: 'rate_limited',
        bucket,
        says: `The limit ${bucket} is reached: ${String(used)} of ${String(limit)}.`,
      }),
    );
    this.steps.push({ step: 'quotas', is: over.length > 0 ? 'refuse' : 'pass', causes });
    return shown;
  }

  private spend({ bucket, limit, windowMs, cost }: Spend, used: number): ExplainedSpend {
    const setting = bucketSetting(bucket, this.about());
    return { bucket, limit, window_ms: windowMs, cost, used, left: Math.max(0, limit - used), setting };
  }

  /** Configuration first, then the flags an operator set; all of them are told. */
  private stops(today: Granted | undefined, flags: readonly Cause[]): void {
    const { seat, deps } = this;
    if (!today) return this.notAsked('stops');
    const provider = today.source.provider;
    const refused = this.caught(() => stopFence(seat, provider, deps));
    const causes = [...(refused ? [this.causeOf(refused)] : []), ...flags];
    this.steps.push({ step: 'stops', is: causes.length > 0 ? 'refuse' : 'pass', causes });
  }

  private fits(args: Args, granted: { readonly pinned: Granted; readonly today: Granted }): boolean {
    return this.step('schema', () => (argumentsFence(args, [granted.pinned.tool, granted.today.tool]), true)) ?? false;
  }

  /** Runs one fence and notes what it said. */
  private step<T>(step: StepName, ask: () => T): T | undefined {
    const answer = this.tried(step, ask);
    if (answer !== undefined || this.steps.at(-1)?.step !== step) this.steps.push({ step, is: 'pass', causes: [] });
    return answer;
  }

  /** Runs it and notes only a refusal. */
  private tried<T>(step: StepName, ask: () => T): T | undefined {
    try {
      return ask();
    } catch (error) {
      const refusal = refusalOf(error);
      this.steps.push({ step, is: 'refuse', reason: refusal.reason, causes: [this.causeOf(refusal)] });
      return undefined;
    }
  }

  private caught(ask: () => void): Refusal | undefined {
    try {
      ask();
      return undefined;
    } catch (error) {
      return refusalOf(error);
    }
  }

  private notAsked(...steps: readonly StepName[]): undefined {
    for (const step of steps) this.steps.push({ step, is: 'not_asked', causes: [] });
  }

  private gateCause({ gate, verdict }: Judged): readonly Cause[] {
    if (verdict.is === 'allow') return [];
    const policy = verdict.is === 'hold' ? verdict.policy : undefined;
    const code =
      verdict.is === 'hold' ? 'BAILING_APPROVAL_PENDING' : verdict.code === 'BAILING_GATE_FAILED' ? verdict.code : 'BAILING_CALL_DENIED';
    const located = this.cause({ code, reason: policy ?? 'denied', gate, says: `${gate}: ${verdict.reason}.` });
    const fix = verdict.is === 'hold' ? HELD_FIX : located.fix;
    return [{ ...located, setting: gateSetting(gate, policy, this.about()), fix }];
  }

  private explained(gate: string, verdict: Judged['verdict']): ExplainedGate {
    const policy = verdict.is === 'hold' ? verdict.policy : undefined;
    return {
      gate,
      verdict: verdict.is,
      ...(policy !== undefined && { policy }),
      ...(verdict.is === 'deny' && { code: verdict.code }),
      ...(verdict.is !== 'allow' && { reason: verdict.reason }),
      setting: gateSetting(gate, policy, this.about()),
    };
  }

  private causeOf(refusal: Refusal): Cause {
    const stopped = refusal.more.detail?.['stopped'];
    const says = refusal.says === '' ? {} : { says: refusal.says };
    return this.cause({ code: refusal.code, reason: refusal.reason, ...says, ...(typeof stopped === 'string' && { stopped }) });
  }

  private cause(refused: Pick<RefusedCall, 'code' | 'reason' | 'says' | 'gate' | 'bucket' | 'stopped'>): Cause {
    const { code, says, setting, fix } = locate({ ...this.about(), ...refused });
    return { code, says, setting, fix };
  }

  private about(): Omit<RefusedCall, 'code' | 'reason'> {
    const about = { route: this.seat.job.route, tool: this.proposal.tool };
    if (!this.found) return about;
    const { definition } = this.found.granted.tool;
    const { provider, subject_field: subjectField } = this.found.granted.source;
    return {
      ...about,
      ...{ provider, scope: definition.scope, operation: `${definition.method} ${definition.path}` },
      ...(subjectField !== undefined && { subjectField }),
    };
  }
}

function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof BailingError) return new Refusal(error.code, error.code.toLowerCase(), error.detail ?? '');
  throw error;
}

function declaredBy(governed: GovernedCall, deps: CallDeps): readonly Spend[] {
  const spends = spendsOf(governed, deps);
  if (spends instanceof Refusal) throw spends;
  return spends;
}
