import type { Risk, ToolDefinition } from '@bailing/plugin-api';
import type { CompiledTool } from './revision.js';

const RISKS: readonly Risk[] = ['low', 'medium', 'high'];
const SECONDS = { '1s': 1, '1m': 60, '1h': 3_600, '1d': 86_400 } as const;

/**
 * The tool of today, with every protection that the job began with: what became looser since does not reach a job that runs. Conditions and
 * schemas are not merged; the exit asks them of both revisions.
 */
export function stricterTool(today: CompiledTool, pinned: CompiledTool): CompiledTool {
  if (sameProtection(today.definition, pinned.definition)) return today;
  const definition = stricter(today.definition, pinned.definition);
  return {
    definition,
    get check() {
      return today.check;
    },
  };
}

/** The fingerprint says nothing about the rate limit (WIRE §4.4), and that is a protection too. */
function sameProtection(today: ToolDefinition, pinned: ToolDefinition): boolean {
  const [now, then] = [today.rateLimit, pinned.rateLimit];
  return today.fingerprint === pinned.fingerprint && now?.count === then?.count && now?.window === then?.window;
}

function stricter(today: ToolDefinition, pinned: ToolDefinition): ToolDefinition {
  const rateLimit = lower(today.rateLimit, pinned.rateLimit);
  return Object.freeze({
    ...today,
    risk: RISKS[Math.max(RISKS.indexOf(today.risk), RISKS.indexOf(pinned.risk))] ?? 'high',
    readonly: today.readonly && pinned.readonly,
    idempotent: today.idempotent && pinned.idempotent,
    sideEffecting: today.sideEffecting || pinned.sideEffecting,
    requiresSubject: today.requiresSubject || pinned.requiresSubject,
    sensitive: today.sensitive || pinned.sensitive,
    confirmRequired: today.confirmRequired || pinned.confirmRequired,
    ...(rateLimit && { rateLimit }),
  });
}

type Rate = ToolDefinition['rateLimit'];

function lower(a: Rate, b: Rate): Rate {
  if (!a || !b) return a ?? b;
  return a.count / SECONDS[a.window] <= b.count / SECONDS[b.window] ? a : b;
}
