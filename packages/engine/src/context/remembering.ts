import type { Conversation, JobRow, MemorySettings, RouteSettings, Settings } from '../ports/index.js';

/** The defaults of WIRE §18; sizes in characters. */
const DEFAULTS = {
  recent_messages: 12,
  recent_budget_chars: 8_000,
  per_message_chars: 2_000,
  summary_enabled: false,
  summary_trigger_chars: 4_000,
  summary_keep_recent: 6,
  summary_max_chars: 1_200,
} as const;

export type Memory = Required<Omit<MemorySettings, 'summary_model'>> & Pick<MemorySettings, 'summary_model'>;

export interface Remembering {
  readonly of: Conversation;
  readonly memory: Memory;
}

/**
 * What a job remembers of its conversation; null where it remembers nothing: it stands alone, or its target keeps its own sessions. With
 * `session_policy: fixed` all jobs of a route are one conversation, whoever they are for, so that needs `memory` to be asked for.
 */
export function remembering(job: JobRow, route: RouteSettings, settings: Settings): Remembering | null {
  if (typeof job.threadId !== 'number' || settings.target(job.target)?.stateless !== true) return null;
  if (route.session_policy !== 'per_key' && route.memory === undefined) return null;
  return { of: { thread: job.threadId, owner: job.owner }, memory: { ...DEFAULTS, ...route.memory } };
}
