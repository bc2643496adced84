import type { Plugin, PluginContext } from '@bailing/plugin-api';
import type { FoundPlugin } from './entry.js';
import type { BootProblem, ProblemSource } from './problem.js';

export type MemberState = 'registered' | 'ready' | 'started' | 'failed' | 'stopped';

/** One thing that one plugin made for one point. */
export interface Made {
  readonly point: string;
  readonly name: string;
  readonly value: unknown;
}

/** One plugin in one kernel, from registration to its stop. */
export class Member {
  readonly id: string;
  readonly plugin: Plugin;
  /** The configuration as written. */
  readonly given: unknown;
  readonly problems: BootProblem[] = [];
  /** The configuration as checked. */
  config: unknown = undefined;
  state: MemberState = 'registered';
  /** Present once its setup is through: there is something to stop. */
  context: PluginContext | undefined;
  made: readonly Made[] = [];
  initMs: number | undefined;
  startMs: number | undefined;

  constructor(readonly found: FoundPlugin) {
    this.plugin = found.plugin;
    this.id = found.plugin.id;
    this.given = found.config;
  }

  get failed(): boolean {
    return this.state === 'failed';
  }

  /** Where a problem of this plugin comes from. */
  source(at: string, detail: string, fix?: string): ProblemSource {
    return { plugin: this.id, at, detail, optional: this.found.optional, ...(fix !== undefined && { fix }) };
  }

  /** From here on it takes no part; what it made is not handed out any more. */
  fail(problem: BootProblem): void {
    this.problems.push(problem);
    this.state = 'failed';
    this.made = [];
  }
}
