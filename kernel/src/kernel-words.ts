import type { Log, Point, ServiceRef } from '@bailing/plugin-api';
import type { SchemaRoom } from '@bailing/schema';
import type { FoundPlugin } from './entry.js';
import type { PluginHealth } from './health.js';
import type { HostService } from './host-service.js';
import type { Choices } from './plan.js';
import type { BootProblem } from './problem.js';
import type { StopFailure } from './stop.js';
import type { KernelTree } from './tree.js';

export interface KernelOptions {
  readonly plugins: readonly FoundPlugin[];
  /** What `discover` could not load; reported together with the rest. */
  readonly problems?: readonly BootProblem[];
  readonly services?: readonly HostService[];
  /** Which plugin serves a service that several offer. */
  readonly choices?: Choices;
  /** Plugin ids without which there is no boot. */
  readonly required?: readonly string[];
  /** Extension points this host serves. Default: all of plugin-api. */
  readonly points?: readonly Point<unknown>[];
  readonly schemas?: SchemaRoom;
  /** Where secrets come from. Default: the environment of the process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly log?: Log;
  /** Milliseconds each. Defaults 10 000, 10 000 and 2 000. */
  readonly initTimeoutMs?: number;
  readonly stopTimeoutMs?: number;
  readonly healthTimeoutMs?: number;
  readonly apiVersion?: string;
}

/** One contribution as the host uses it. */
export interface Contributed<T> {
  readonly plugin: string;
  readonly name: string;
  readonly value: T;
}

/** Loads plugins and looks after their lives: register → configure → init → start → stop (DESIGN §3). */
export interface Kernel {
  /** Registers and configures; runs nothing of a plugin. All problems, fatal or not. */
  check(): readonly BootProblem[];
  /** Sets up every plugin in order of need. Throws BootFailure with everything that is wrong, after stopping what ran. */
  init(): Promise<void>;
  /** After init, before the first socket opens. Throws BootFailure likewise. */
  start(): Promise<void>;
  /** Reverse order, all attempted, never throws; the second call answers what the first did. */
  stop(): Promise<readonly StopFailure[]>;
  /** What plugins added to a point, in order of start; read it after `start`, which may still lose an optional plugin. */
  contributions<T>(point: Point<T>): readonly Contributed<T>[];
  /** A service as plugins see it: the chosen offer, else the host's. Throws where there is none. */
  service<T>(ref: ServiceRef<T>): T;
  health(): Promise<readonly PluginHealth[]>;
  tree(): Promise<KernelTree>;
}
