import type { BuiltIns, KernelTree, PluginEntry } from '@bailing/kernel';
import type { Clock, Log } from '@bailing/plugin-api';
import type { BailingConfig } from '@bailing/resources';
import type { StoreOptions } from '@bailing/store';

export interface HubOptions {
  /** A configuration as `readConfig` gives it. */
  readonly config: BailingConfig;
  /** Plugins that always run, before those the configuration names; a configured entry for the same built-in replaces it. */
  readonly plugins?: readonly PluginEntry[];
  /** Built-ins a configuration may name by id. */
  readonly builtins?: BuiltIns;
  /** Folder that paths in the configuration start from. Default: the working directory. */
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly log?: Log;
  readonly clock?: Clock;
  /** How often documents are looked after; the defaults suit a hub, tests are less patient. Milliseconds. */
  readonly duties?: { readonly watchMs?: number; readonly tickMs?: number; readonly pollMs?: number; readonly retentionMs?: number };
  /** Passed to the store; crash tests end the process at one of its places. */
  readonly store?: Pick<StoreOptions, 'failpoint' | 'onCommit' | 'onStatement'>;
}

/** A hub in this process: start it, ask it, stop it. */
export interface Hub {
  /** Boots plugins, opens the store, loads tools, starts working, listens; in that order. @throws BootFailure, BailingError */
  start(): Promise<{ readonly url: string; readonly port: number }>;
  /** Stops taking jobs, drains what runs, closes everything. Safe after a failed start, and twice. */
  stop(): Promise<void>;
  /**
   * Swaps what the configuration file declares while running; objects of the database stay. Claimed and running jobs feel it at their next call.
   * @throws BailingError BAILING_CONFIG_INVALID where the change needs a restart, or does not fit the objects of the database
   */
  reconfigure(config: BailingConfig): void;
  /** The boot tree with times and health. */
  plugins(): Promise<KernelTree>;
  readonly log: Log;
}
