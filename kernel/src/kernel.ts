import { points as knownPoints, services as knownServices, type Log, type Point, type ServiceRef } from '@bailing/plugin-api';
import { createSchemaCheck } from '@bailing/schema';
import { configure } from './configure.js';
import { Services } from './container.js';
import { healthOf, type PluginHealth } from './health.js';
import type { HostService } from './host-service.js';
import { failInit, initMember, type InitOptions } from './init.js';
import type { Contributed, Kernel, KernelOptions } from './kernel-words.js';
import type { Member } from './member.js';
import { plan, type Plan } from './plan.js';
import { BootFailure, type BootProblem } from './problem.js';
import { register } from './register.js';
import { Redactor } from './secrets.js';
import { stopMembers, type StopFailure } from './stop.js';
import { withTimeLimit } from './time-limit.js';
import { growTree, type KernelTree } from './tree.js';

const SILENT: Log = Object.freeze({ debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined });

export function createKernel(options: KernelOptions): Kernel {
  return new PluginKernel(options);
}

class PluginKernel implements Kernel {
  readonly #redactor = new Redactor();
  readonly #shared = Services.create();
  readonly #stopping = new AbortController();
  readonly #points: readonly Point<unknown>[];
  readonly #host: readonly HostService[];
  readonly #log: Log;
  readonly #reported = new Set<Member>();
  #members: readonly Member[] = [];
  #plan: Plan | undefined;
  #problems: readonly BootProblem[] = [];
  #running: Promise<unknown> = Promise.resolve();
  #stopped: Promise<readonly StopFailure[]> | undefined;

  constructor(readonly options: KernelOptions) {
    this.#points = options.points ?? Object.values(knownPoints);
    this.#host = options.services ?? [];
    this.#log = this.#redactor.log(options.log ?? SILENT);
  }

  check(): readonly BootProblem[] {
    this.#checked();
    return this.#allProblems();
  }

  init(): Promise<void> {
    return this.#run(async () => {
      const { order } = this.#checked();
      this.#throwIfFatal();
      const init = this.#initOptions();
      for (const member of order) {
        if (!init.signal.aborted) await initMember(member, init);
        if (member.state === 'ready') this.#log.debug('plugin ready', { plugin: member.id, ms: Math.round(member.initMs ?? 0) });
      }
      await this.#settle();
    });
  }

  start(): Promise<void> {
    return this.#run(async () => {
      for (const member of this.#checked().order) if (!this.#stopping.signal.aborted) await this.#startMember(member);
      await this.#settle();
    });
  }

  stop(): Promise<readonly StopFailure[]> {
    this.#stopping.abort();
    this.#stopped ??= this.#running.then(() => this.#stopNow());
    return this.#stopped;
  }

  contributions<T>(point: Point<T>): readonly Contributed<T>[] {
    const order = this.#plan?.order ?? [];
    return order.flatMap((member) =>
      member.made.filter((made) => made.point === point.id).map(({ name, value }) => ({ plugin: member.id, name, value: value as T })),
    );
  }

  service<T>(ref: ServiceRef<T>): T {
    if (this.#shared.has(ref.id)) return this.#shared.resolve(ref.id) as T;
    const hosted = this.#host.find((service) => service.ref.id === ref.id);
    if (!hosted || this.#plan?.offerers.has(ref.id)) throw new Error(`nobody serves ${ref.id}`);
    return hosted.make('host') as T;
  }

  health(): Promise<readonly PluginHealth[]> {
    return Promise.all(this.#members.map((member) => healthOf(member, this.options.healthTimeoutMs ?? 2_000, this.#redactor)));
  }

  async tree(): Promise<KernelTree> {
    const { offerers, order } = this.#checked();
    return growTree({ members: this.#members, order, offerers, health: await this.health(), problems: this.#allProblems() });
  }

  #checked(): Plan {
    if (this.#plan) return this.#plan;
    const { options } = this;
    const registered = register(options.plugins, {
      points: this.#points,
      required: options.required ?? [],
      ...(options.apiVersion !== undefined && { apiVersion: options.apiVersion }),
    });
    this.#members = registered.members;
    const schemas = options.schemas ?? createSchemaCheck();
    for (const member of this.#members) if (!member.failed) configure(member, schemas, options.env ?? process.env, this.#redactor);
    this.#plan = plan(this.#members, this.#host, options.choices ?? {});
    this.#problems = [...(options.problems ?? []), ...registered.problems, ...this.#plan.problems];
    return this.#plan;
  }

  #allProblems(): readonly BootProblem[] {
    return [...this.#problems, ...this.#members.flatMap((member) => member.problems)];
  }

  /** Steps follow one another; a stop waits for the step that runs. */
  #run(step: () => Promise<void>): Promise<void> {
    if (this.#stopping.signal.aborted) return Promise.reject(new Error('the kernel was stopped'));
    const running = this.#running.then(step);
    this.#running = running.catch(() => undefined);
    return running;
  }

  async #startMember(member: Member): Promise<void> {
    const { context, plugin } = member;
    if (member.state !== 'ready' || !context) return;
    const begun = performance.now();
    const ms = member.found.initTimeoutMs ?? this.options.initTimeoutMs ?? 10_000;
    const end = await withTimeLimit(ms, () => plugin.start?.(context), this.#stopping.signal);
    member.startMs = performance.now() - begun;
    if (end.is === 'done') member.state = 'started';
    else
      failInit(
        member,
        this.#initOptions(),
        'start',
        end.is === 'late' ? new Error(`Its start was not through after ${ms} ms.`) : end.error,
      );
  }

  /** After a step: optional plugins that failed are reported, a required one ends the boot. */
  async #settle(): Promise<void> {
    const lost = this.#members.filter((member) => member.failed && member.found.optional);
    for (const member of lost.filter((one) => !this.#reported.has(one))) {
      this.#reported.add(member);
      this.#log.warn('optional plugin failed', { plugin: member.id, problems: member.problems });
    }
    if (!this.#allProblems().some((problem) => problem.fatal)) {
      await stopMembers(lost, this.#stopMs(), this.#redactor);
      return;
    }
    await this.#stopNow();
    this.#throwIfFatal();
  }

  #throwIfFatal(): void {
    const problems = this.#allProblems();
    if (problems.some((problem) => problem.fatal)) throw new BootFailure(problems);
  }

  async #stopNow(): Promise<readonly StopFailure[]> {
    const failures = await stopMembers(this.#plan?.order ?? [], this.#stopMs(), this.#redactor);
    for (const failure of failures) this.#log.warn('a plugin did not stop well', { ...failure });
    return failures;
  }

  #stopMs(): number {
    return this.options.stopTimeoutMs ?? 10_000;
  }

  #initOptions(): InitOptions {
    return {
      shared: this.#shared,
      host: this.#host,
      offerers: this.#checked().offerers,
      points: this.#points,
      timeoutMs: this.options.initTimeoutMs ?? 10_000,
      stopTimeoutMs: this.#stopMs(),
      redactor: this.#redactor,
      log: (plugin) => this.#logOf(plugin),
      signal: this.#stopping.signal,
    };
  }

  #logOf(plugin: string): Log {
    const hosted = this.#host.find((service) => service.ref.id === knownServices.log.id);
    return hosted ? this.#redactor.log(hosted.make(plugin) as Log) : this.#log;
  }
}
