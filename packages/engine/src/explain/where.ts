import { errorCatalogue, type ErrorCode } from '@bailing/plugin-api';
import type { Cause } from './words.js';

/** What is known about one refused call, from a live refusal or from its ledger line. */
export interface RefusedCall {
  readonly code: string;
  /** The ledger's word. */
  readonly reason: string;
  readonly says?: string;
  readonly route: string;
  readonly tool: string;
  readonly provider?: string;
  readonly scope?: string;
  readonly operation?: string;
  readonly subjectField?: string;
  /** `plugin/name` of the gate that spoke. */
  readonly gate?: string;
  readonly bucket?: string;
  /** What was stopped, e.g. `route refunds` (configuration) or `route:refunds` (a flag). */
  readonly stopped?: string;
}

export interface Located extends Cause {
  readonly fence: string;
}

type Place = Partial<Pick<Located, 'fence' | 'setting' | 'fix'>>;

/** Names the fence that refused, the setting it goes by and what to do; one place for `explain`, bundles and reports. */
export function locate(refused: RefusedCall): Located {
  const code = refused.code as ErrorCode;
  const row = Object.hasOwn(errorCatalogue, code) ? errorCatalogue[code] : undefined;
  const place = PLACES[refused.code]?.(refused) ?? {};
  return {
    code: refused.code,
    fence: place.fence ?? 'exit',
    says: refused.says ?? row?.says ?? refused.reason,
    setting: place.setting ?? sources(refused),
    fix: place.fix ?? row?.fix ?? '',
  };
}

const PLACES: Readonly<Record<string, (refused: RefusedCall) => Place>> = {
  BAILING_TOOL_NOT_GRANTED: (one) => ({ fence: 'scope', ...scopePlace(one) }),
  BAILING_TOOL_FROZEN: (one) => ({
    fence: 'scope',
    setting: `tool_providers[${one.provider ?? '?'}].on_looser`,
    fix: `Read what became looser and accept it: bailing refresh ${one.provider ?? '<provider>'} --accept ${one.tool}.`,
  }),
  BAILING_CALL_STOPPED: (one) => ({ fence: 'stops', ...stopPlace(one.stopped ?? '') }),
  BAILING_ARGS_MALFORMED: (one) => ({ fence: 'arguments', setting: `arguments of ${one.tool}` }),
  BAILING_ARGS_INVALID: (one) => ({ fence: 'arguments', setting: document(one, 'parameters and requestBody') }),
  BAILING_SEND_LIMIT: () => ({ fence: 'quotas', setting: 'the limit of messages of one job' }),
  BAILING_CHANNEL_CHANGED: () => ({ fence: 'sending', setting: 'channels' }),
  BAILING_CHANNEL_UNKNOWN: () => ({ fence: 'bytes', setting: 'channels' }),
  BAILING_SUBJECT_MISSING: (one) => ({
    fence: 'subject',
    setting: `${source(one)}.subject_field`,
    fix: `Let the trigger send metadata.${one.subjectField ?? 'visitor_uid'} with the id of the acting person.`,
  }),
  BAILING_BUDGET_SPENT: (one) => ({ fence: 'budget', setting: `routes[${one.route}].tools.max_calls` }),
  BAILING_RATE_LIMITED: (one) => ({ fence: 'quotas', setting: bucketSetting(one.bucket ?? '', one) }),
  BAILING_CALL_DENIED: (one) => gatePlace(one),
  BAILING_GATE_FAILED: (one) => gatePlace(one),
  BAILING_TARGET_UNSAFE: (one) => ({ fence: 'bytes', setting: document(one, 'path parameters') }),
  BAILING_TOOL_DISABLED_FOR_JOB: (one) => ({ fence: 'two failures', setting: `the answers of ${one.provider ?? 'the business'}` }),
  BAILING_APPROVAL_PENDING: (one) => ({ fence: 'confirmation', setting: `routes[${one.route}].tools.approval` }),
  BAILING_DEBUG_BLOCKED: () => ({ fence: 'confirmation', setting: 'allow_risky of the debug call' }),
  BAILING_DEBUG_NOT_SENT: () => ({ fence: 'time', setting: 'what else the hub has to do' }),
  BAILING_APPROVAL_DENIED: (one) => ({ fence: 'confirmation', setting: `routes[${one.route}].tools.approval` }),
  BAILING_APPROVAL_EXPIRED: (one) => ({ fence: 'confirmation', setting: `routes[${one.route}].tools.approval.expires_after_ms` }),
  BAILING_APPROVAL_VOID: (one) => ({ fence: 'confirmation', setting: document(one, 'x-agent-capability') }),
  BAILING_CALL_UNKNOWN: () => unresolved,
  BAILING_CALL_FROZEN: () => unresolved,
  BAILING_JOURNAL_UNAVAILABLE: () => ({ fence: 'journal', setting: 'hub.database' }),
  BAILING_AUDIT_UNAVAILABLE: () => ({ fence: 'audit', setting: 'hub.database' }),
  BAILING_JOB_CANCELLED: () => ({ fence: 'stops', setting: 'the cancel of this job' }),
  BAILING_LEASE_LOST: () => ({ fence: 'lease', setting: 'hub.lease_ms' }),
  BAILING_CALL_NOT_SENT: (one) => ({ fence: 'sending', setting: `tool_providers[${one.provider ?? '?'}].base_url` }),
  BAILING_CALL_FAILED: (one) => ({ fence: 'sending', setting: `tool_providers[${one.provider ?? '?'}].timeout_ms` }),
};

const unresolved: Place = {
  fence: 'journal',
  setting: 'the unresolved write of this job',
  fix: 'See bailing unresolved list, compare with the records of the business, then bailing unresolved settle.',
};

function scopePlace(one: RefusedCall): Place {
  if (one.reason === 'tool_removed' || one.reason === 'tool_moved')
    return { setting: document(one, 'the operation'), fix: 'Start the job again: it works with the document of today.' };
  if (one.provider === undefined)
    return { setting: sources(one), fix: 'Use a tool that is listed, or attach the provider that has this one to the route.' };
  return {
    setting: `${source(one)}.allow`,
    fix: `Add ${JSON.stringify(one.scope ?? '<scope>')} to the allow list, if this route may do that.`,
  };
}

/** The place of a stop: `kind name` is configuration, `kind:name` a flag that an operator set. */
export function stopPlace(stopped: string): { readonly setting: string; readonly fix: string } {
  const [kind, name] = stopped.split(/[: ](.*)/, 2);
  if (stopped === 'hub') return { setting: 'the pause of the hub', fix: 'Lift it: POST /admin/resume.' };
  if (stopped.includes(':')) return { setting: `the stop flag ${stopped}`, fix: `Whoever set the flag ${stopped} has to lift it.` };
  const list = STOPPED_LISTS[kind ?? ''];
  if (list === undefined || name === undefined) return { setting: stopped, fix: errorCatalogue.BAILING_CALL_STOPPED.fix };
  return { setting: `${list}[${name}].enabled`, fix: `Set enabled: true for the ${kind ?? ''} ${name}, if it is to work again.` };
}

const STOPPED_LISTS: Readonly<Record<string, string>> = {
  route: 'routes',
  client: 'clients',
  provider: 'tool_providers',
  target: 'targets',
};

/** The setting a rate bucket is counted against. */
export function bucketSetting(bucket: string, one: Pick<RefusedCall, 'operation' | 'provider'>): string {
  const [kind, name] = bucket.split(':');
  if (kind === 'provider') return `tool_providers[${name ?? ''}].rate_limit_per_min`;
  if (kind === 'client') return `clients[${name ?? ''}].rate_limit_per_min`;
  if (kind === 'tool') return document(one, 'x-agent-capability.execution.rate_limit');
  return `the quota that declares the bucket ${bucket}`;
}

/** The setting a gate's word comes from: the declaration for the risk gate, else the plugin's own configuration. */
export function gateSetting(gate: string, policy: string | undefined, one: Pick<RefusedCall, 'operation' | 'provider'>): string {
  const member = gate.startsWith('gate-risk/') ? (RISK_MEMBERS[policy ?? ''] ?? 'approval.when') : undefined;
  return member === undefined ? `plugins[${gate.split('/')[0] ?? gate}].config` : document(one, `x-agent-capability.${member}`);
}

const RISK_MEMBERS: Readonly<Record<string, string>> = {
  risk_high: 'risk.level',
  confirm_required: 'approval.required',
  confirm_when: 'approval.when',
};

function gatePlace(one: RefusedCall): Place {
  const gate = one.gate ?? 'gate';
  return { fence: `gate ${gate}`, setting: gateSetting(gate, undefined, one) };
}

function source({ route, provider }: RefusedCall): string {
  return `routes[${route}].tools.sources[${provider ?? '?'}]`;
}

function sources({ route }: RefusedCall): string {
  return `routes[${route}].tools.sources`;
}

function document({ operation, provider }: Pick<RefusedCall, 'operation' | 'provider'>, member: string): string {
  return `document of ${provider ?? 'the provider'}, ${operation ?? 'the operation'}: ${member}`;
}
