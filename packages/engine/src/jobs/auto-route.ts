import type { AudienceSettings, ClientSettings, RouteSettings, Settings } from '../ports/index.js';
import { audienceRefusal } from './audience.js';
import type { Principal } from './principal.js';

/** What a request says that may lead to a route (WIRE §2.5). */
export interface AutoAsk {
  readonly input: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly principal: Principal | null;
  /** Absent for administrators, who may use every route. */
  readonly client?: ClientSettings;
}

export interface AutoCandidate {
  readonly route_key: string;
  readonly score: number;
  readonly reasons: readonly string[];
}

/** One route as the preview shows it. */
export interface AutoRow extends AutoCandidate {
  readonly route_name: string;
  readonly enabled: boolean;
  readonly auto_enabled: boolean;
  readonly client_allowed: boolean;
  readonly audience_allowed: boolean;
  readonly audience_reason?: string;
  readonly selected: boolean;
  readonly rejected_reason?: string;
}

export interface AutoDecision {
  readonly mode: 'auto';
  readonly ok: boolean;
  readonly candidates: readonly AutoCandidate[];
  readonly error?: 'route_auto_no_match' | 'route_auto_ambiguous';
}

const CANDIDATES_MAX = 5;
const DEPTH_MAX = 16;

const NOTHING_HEARD: ReadonlyMap<string, string> = new Map();

/** Routes a request may be led to by what it says. */
export function autoCandidates(ask: AutoAsk, settings: Settings): readonly RouteSettings[] {
  return settings.routes().filter((route) => {
    const { rejected_reason: rejected } = judge(route, ask, '');
    return rejected === undefined || rejected === 'score_zero_or_lower';
  });
}

/** Chooses a route by what a request says; the same request and configuration always choose the same. Shared by `/run` and its preview. `heard`: what was said in recordings, per route. */
export function autoRoute(ask: AutoAsk, settings: Settings, heard: ReadonlyMap<string, string> = NOTHING_HEARD) {
  const text = haystack(ask);
  const judged = settings.routes().map((route) => judge(route, ask, `${text} ${(heard.get(route.route_key) ?? '').toLowerCase()}`));
  const found = judged.filter((row) => row.rejected_reason === undefined).sort(byScore);
  const [first, second] = found;
  const error = first === undefined ? 'route_auto_no_match' : second?.score === first.score ? 'route_auto_ambiguous' : undefined;
  const selected = error === undefined ? first?.route_key : undefined;
  const candidates = found.slice(0, CANDIDATES_MAX).map(({ route_key, score, reasons }) => ({ route_key, score, reasons }));
  const decision: AutoDecision = { mode: 'auto', ok: error === undefined, candidates, ...(error !== undefined && { error }) };
  return { decision, selected, rows: judged.map((row): AutoRow => ({ ...row, selected: row.route_key === selected })) };
}

function byScore(a: AutoCandidate, b: AutoCandidate): number {
  return b.score - a.score || (a.route_key < b.route_key ? -1 : 1);
}

function judge(route: RouteSettings, ask: AutoAsk, text: string): Omit<AutoRow, 'selected'> {
  const { audience = {} } = route;
  const refusal = audienceRefusal(route.audience, ask.principal);
  const clientAllowed = !ask.client || ask.client.allowed_routes.includes('*') || ask.client.allowed_routes.includes(route.route_key);
  const autoEnabled = audience.auto === true || (audience.keywords ?? []).some((word) => word !== '');
  const { score, reasons } = scored(route, audience, ask, text);
  const rejected = !route.enabled
    ? 'route_disabled'
    : !autoEnabled
      ? 'auto_not_enabled'
      : !clientAllowed
        ? 'client_not_allowed'
        : (refusal ?? (score > 0 ? undefined : 'score_zero_or_lower'));
  return {
    route_key: route.route_key,
    route_name: route.name,
    enabled: route.enabled,
    auto_enabled: autoEnabled,
    client_allowed: clientAllowed,
    audience_allowed: refusal === null,
    ...(refusal !== null && { audience_reason: refusal }),
    score,
    reasons,
    ...(rejected !== undefined && { rejected_reason: rejected }),
  };
}

function scored(route: RouteSettings, audience: AudienceSettings, { principal }: AutoAsk, text: string) {
  const has = (needle: string) => needle !== '' && text.includes(needle.toLowerCase());
  const keywords = [...new Set(audience.keywords)].filter(has);
  const names = [route.route_key, route.name].filter(has);
  const named = (list: readonly string[] | undefined, ...values: readonly (string | undefined)[]) =>
    values.some((value) => value !== undefined && (list ?? []).includes(value));
  const reasons = [
    ...(keywords.length > 0 ? [`keywords:${keywords.join(',')}`] : []),
    ...(names.length > 0 ? [`route:${route.route_key}`] : []),
    ...(named(audience.tenants, principal?.tenant) ? ['tenant'] : []),
    ...(named(audience.audiences, principal?.audience) ? ['audience'] : []),
    ...(named(audience.roles, ...(principal?.roles ?? [])) ? ['role'] : []),
    ...(named(audience.clients, principal?.client_app_id) ? ['client'] : []),
  ];
  const score = (audience.priority ?? 0) + 10 * keywords.length + 10 * names.length + reasons.length + (audience.auto === true ? 1 : 0);
  return { score, reasons: reasons.length > 0 ? reasons : ['auto'] };
}

/** The input, every metadata key and every text or number in the metadata, in lower case. */
function haystack({ input, metadata }: AutoAsk): string {
  const words = [input];
  collect(metadata, words, 0);
  return words.join(' ').toLowerCase();
}

function collect(value: unknown, words: string[], depth: number): void {
  if (typeof value === 'string' || typeof value === 'number') words.push(String(value));
  else if (value !== null && typeof value === 'object' && depth < DEPTH_MAX)
    for (const [key, member] of Object.entries(value)) {
      if (!Array.isArray(value)) words.push(key);
      collect(member, words, depth + 1);
    }
}
