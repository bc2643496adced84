import { errorCatalogue, type ErrorCode, type ModelCall, type ModelMessage, type ModelProvider, type ModelTool } from '@bailing/plugin-api';
import type { CallResult, Proposal } from '../calls/index.js';
import { SEND_MESSAGE } from '../messages/index.js';
import { assemble, type Turn } from './assemble.js';
import { Deadline } from './deadline.js';
import { Exposure } from './exposure.js';
import type { Ending, LoopDeps, LoopEnd, LoopInput } from './loop-words.js';
import { begunOf, opening } from './opening.js';
import { wordsFor } from './prompt.js';
import { refusedImages, withoutImages } from './inline-images.js';
import { freeze, type LoopState } from './memory.js';
import { protocolMarker } from './protocol.js';
import { added, requestOf, roundsOf } from './request.js';
import { RoundStream } from './round-stream.js';
import { Tally } from './tally.js';
import { isReadOnly, runTurn } from './turn.js';

/**
 * The model loop: rounds of one provider over the governed exit, until there is an answer, an unresolved write, or no way on.
 * @throws ModelFailure where the endpoint failed; the job decides about another attempt
 */
export async function think(input: LoopInput, deps: LoopDeps): Promise<LoopEnd> {
  return new Loop(input, deps).run();
}

class Loop {
  private readonly words;
  private readonly exposure: Exposure;
  private messages: ModelMessage[];
  private readonly begun: LoopState | null;
  private readonly tally: Tally;
  private used: number;
  private repaired: boolean;
  private emptyAsked: boolean;
  private usage: LoopState['usage'];
  private readonly deadline: Deadline;
  private timeUp: boolean;

  constructor(
    private readonly input: LoopInput,
    private readonly deps: LoopDeps,
  ) {
    this.words = wordsFor(input.text);
    const begun = (this.begun = begunOf(input));
    this.exposure = new Exposure(input.view, begun?.fetched);
    this.used = Math.max(input.callsUsed, begun?.used ?? 0);
    this.messages = [...(begun?.messages ?? opening(input, this.exposure))];
    this.repaired = begun?.repaired ?? false;
    this.emptyAsked = begun?.emptyAsked ?? false;
    this.usage = begun?.usage ?? { inputTokens: 0, outputTokens: 0 };
    this.tally = new Tally(begun?.tally);
    if (begun?.sight) this.sight?.restore(begun.sight);
    this.deadline = new Deadline(input.deadlineMs, begun?.spentMs ?? 0, input.lastWordMs);
    this.timeUp = begun?.timeUp ?? false;
  }

  async run(): Promise<LoopEnd> {
    this.note('llm_request', {
      model: this.deps.model.name,
      tool_mode: this.exposure.mode,
      tools_total: this.input.view.tools.size,
      tools_offered: this.offered().map(({ name }) => name),
      ...this.input.attached?.facts,
      system_prompt: this.messages[0]?.role === 'system' ? this.messages[0].content : '',
    });
    const rounds = roundsOf(this.input, this.exposure);
    const last = () => (this.timeUp ? 3 : 0);
    let end = this.begun ? await this.goOn(this.begun) : null;
    for (let round = (this.begun?.round ?? 0) + 1; !end && round <= rounds + last(); round++) {
      end = await this.round(round);
      if (!end) await this.save(round);
    }
    if (end) return end;
    return this.failed('BAILING_JOB_ROUNDS');
  }

  private get sight() {
    return this.input.attached?.sight;
  }

  private offered(): readonly ModelTool[] {
    return [...this.exposure.offered(), ...(this.sight?.offered() ?? [])];
  }

  private get withdrawn(): boolean {
    return this.used >= this.input.maxCalls || this.repaired || this.emptyAsked || this.timeUp;
  }

  /** A turn whose calls were proposed and not all answered is carried out as it was: the journal answers what happened already. */
  private async goOn({ round, messages }: LoopState): Promise<LoopEnd | null> {
    const last = messages.at(-1);
    this.note('loop_resumed', { round, messages: messages.length, calls_used: this.used });
    if (last?.role !== 'assistant' || !last.calls) return null;
    this.deps.show?.({ is: 'phase', name: 'tool', round });
    const end = await this.act(last.calls, last.content);
    if (!end) await this.save(round);
    return end;
  }

  private async save(round: number): Promise<void> {
    const { save } = this.deps;
    if (!save) return;
    const { messages, used, repaired, emptyAsked, usage, input, timeUp } = this;
    const { spentMs } = this.deadline;
    const { known: fetched } = this.exposure;
    const approvedNote = input.approvedNote ?? null;
    const sight = this.sight && { sight: this.sight.state };
    const state = freeze({
      round,
      messages,
      used,
      fetched,
      repaired,
      emptyAsked,
      usage,
      tally: this.tally.facts(),
      ...sight,
      approvedNote,
      spentMs,
      timeUp,
    });
    if (state === null) this.note('loop_not_saved', { round, reason: 'too_large' });
    else await save(state);
  }

  private async round(round: number): Promise<LoopEnd | null> {
    if (this.deadline.isOver && !this.timeUp) this.tellTime();
    const tools = this.withdrawn ? [] : this.offered();
    const stream = new RoundStream(round, this.deps.show);
    const turn = await this.deadline.within(this.input.signal, (signal) => this.ask(this.deps.model, tools, stream, signal));
    if (turn === 'late') return this.late();
    const marker = turn.calls.length > 0 && tools.length === 0 ? 'structured_tool_call_after_finalize' : protocolMarker(turn.text);
    if (marker !== null) {
      stream.violation();
      return this.violation(marker, round, turn);
    }
    stream.clean();
    if (turn.calls.length === 0) return this.final(turn);
    stream.tools();
    return this.propose(turn, round);
  }

  private async ask(model: ModelProvider, tools: readonly ModelTool[], stream: RoundStream, signal: AbortSignal): Promise<Turn> {
    try {
      return await this.askOnce(model, tools, stream, signal);
    } catch (error) {
      // Once: there are no images in the messages then.
      if (!refusedImages(error, this.messages)) throw error;
      this.note('llm_images_refused', { model: model.name });
      this.messages = withoutImages(this.messages, this.input.attached?.stripped ?? '');
      return this.askOnce(model, tools, stream, signal);
    }
  }

  private async askOnce(model: ModelProvider, tools: readonly ModelTool[], stream: RoundStream, signal: AbortSignal): Promise<Turn> {
    const request = requestOf(this.input.route, this.messages, tools);
    const turn = await assemble(model.answer(request, signal), (text) => stream.text(text));
    this.usage = added(this.usage, turn.usage);
    return turn;
  }

  /** Kept before a write of it may happen, so that no restart proposes the same in other words; before a look, so that restarts gain none. */
  private async propose(turn: Turn, round: number): Promise<LoopEnd | null> {
    const calls: ModelCall[] = turn.calls.map((call, index) => ({ id: `call_${String(this.messages.length)}_${String(index)}`, ...call }));
    this.messages.push({ role: 'assistant', content: turn.text, calls, ...(turn.reasoning !== '' && { reasoning: turn.reasoning }) });
    const looks = this.sight?.reserve(calls) ?? 0;
    if (looks > 0 || !calls.every((call) => isReadOnly(call, this.input.view))) await this.save(round);
    return this.act(calls, turn.text);
  }

  /** Runs the calls of one turn and puts exactly one result message after each. */
  private async act(calls: readonly ModelCall[], said: string): Promise<LoopEnd | null> {
    const before = this.used;
    const acted = await runTurn(calls, {
      view: this.input.view,
      find: (names) => this.find(names),
      call: (proposal) => this.call(proposal),
      ...(this.sight && { see: (args: string) => this.sight?.see(args) ?? Promise.resolve('') }),
    });
    for (const { call, text } of acted.results) this.messages.push({ role: 'tool', callId: call.id, name: call.name, content: text });
    if (acted.stop) return this.ended({ ...acted.stop, text: said });
    if (this.used > before) this.tellBudget();
    return null;
  }

  /** Called off: at the limit once more for a last word, and past that for good. */
  private late(): LoopEnd | null {
    if (this.timeUp) return this.failed('BAILING_JOB_DEADLINE');
    this.tellTime();
    return null;
  }

  private tellTime(): void {
    this.timeUp = true;
    this.note('job_deadline', { spent_ms: this.deadline.spentMs, limit_ms: this.input.deadlineMs });
    this.messages.push({ role: 'user', content: this.words.late });
  }

  private async call(proposal: Proposal): Promise<CallResult> {
    if (this.deadline.isOver) {
      this.note('tool_blocked', { tool: proposal.tool, reason: 'job_deadline', code: 'BAILING_JOB_DEADLINE' });
      return { ok: false, text: errorCatalogue.BAILING_JOB_DEADLINE.says, status: 0, sent: false, code: 'BAILING_JOB_DEADLINE' };
    }
    const result = await this.deps.call(proposal);
    this.tally.add(result);
    // Messages have a limit of their own.
    if (result.sent && proposal.tool !== SEND_MESSAGE) this.used++;
    if (result.code === 'BAILING_BUDGET_SPENT') this.used = Math.max(this.used, this.input.maxCalls);
    return result;
  }

  private find(names: readonly string[]): string {
    const { found, text } = this.exposure.find(names);
    this.note('tool_lookup', { names: names.slice(0, 20), found: found.length });
    return text;
  }

  /** Trusted status after each round that used a business call (WIRE §11.4). */
  private tellBudget(): void {
    const { maxCalls } = this.input;
    const remaining = Math.max(0, maxCalls - this.used);
    const detail = { used: this.used, limit: maxCalls, remaining };
    if (remaining === 0) this.note('tool_budget_exhausted', detail);
    else if (remaining === 1) this.note('tool_budget_near_limit', detail);
    const content = remaining === 0 ? this.words.none : remaining === 1 ? this.words.one : this.words.many(this.used, maxCalls);
    this.messages.push({ role: 'user', content });
  }

  /** Markup is neither shown nor executed: one rewrite without tools, then the job fails closed (WIRE §11.5). */
  private violation(marker: string, round: number, turn: Turn): LoopEnd | null {
    const final = this.repaired;
    this.note('llm_output_protocol_violation', {
      model: this.deps.model.name,
      round,
      marker,
      content_chars: turn.text.length,
      tool_calls_used: this.used,
      tool_calls_limit: this.input.maxCalls,
      final,
    });
    if (final) return this.failed('BAILING_MODEL_PROTOCOL');
    this.repaired = true;
    this.messages.push({ role: 'user', content: this.words.rewrite });
    return null;
  }

  private async final(turn: Turn): Promise<LoopEnd | null> {
    const text = turn.text.trim();
    if (text === '') return this.empty();
    const shown = await this.sight?.unasked();
    if (typeof shown === 'string') {
      this.messages.push({ role: 'assistant', content: turn.text }, { role: 'user', content: shown });
      return null;
    }
    if (this.repaired)
      this.note('llm_output_protocol_repaired', { model: this.deps.model.name, content_chars: text.length, tool_calls_used: this.used });
    return this.ended({ is: 'answer', text });
  }

  /** Empty after at least one call: one repair request, then a readable fallback. Empty without any call is a failure of the endpoint. */
  private empty(): LoopEnd | null {
    const detail = { model: this.deps.model.name, tool_calls: this.tally.made };
    if (this.tally.made === 0) return this.failed('BAILING_MODEL_ANSWER_INVALID');
    if (!this.emptyAsked) {
      this.note('llm_empty_response_retry', { ...detail, reason: 'empty_content' });
      this.emptyAsked = true;
      this.messages.push({ role: 'user', content: this.words.repair });
      return null;
    }
    this.note('llm_empty_response_fallback', { ...detail, fallback: 'text' });
    return this.ended({ is: 'answer', text: this.words.fallback });
  }

  private failed(code: ErrorCode): LoopEnd {
    return this.ended({ is: 'failed', code });
  }

  private ended(end: Ending): LoopEnd {
    const { maxCalls } = this.input;
    const remaining = Math.max(0, maxCalls - this.used);
    return {
      ...end,
      facts: {
        model: this.deps.model.name,
        toolCalls: this.tally.sent,
        budget: { used: this.used, limit: maxCalls, remaining, exhausted: remaining === 0 },
        usage: this.usage,
        pending: this.tally.pending,
        repaired: this.repaired,
      },
    };
  }

  private note(event: string, detail: Readonly<Record<string, unknown>>): void {
    this.deps.note(event, detail);
  }
}
