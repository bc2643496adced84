import type { PluginHealth } from './health.js';
import type { Member, MemberState } from './member.js';
import type { Offerers } from './plan.js';
import type { BootProblem } from './problem.js';

/** What `bailing plugins` draws. Plain data. */
export interface KernelTree {
  readonly plugins: readonly PluginBranch[];
  /** Milliseconds of all inits and starts together. */
  readonly totalMs: number;
  /** What belongs to no plugin of the tree, such as an entry that could not be loaded. */
  readonly problems: readonly BootProblem[];
}

export interface PluginBranch {
  readonly id: string;
  readonly from: string;
  readonly optional: boolean;
  readonly state: MemberState;
  readonly initMs?: number;
  readonly startMs?: number;
  /** Service id and who serves it: a plugin id or `host`. */
  readonly needs: readonly { readonly service: string; readonly by: string }[];
  readonly offers: readonly string[];
  readonly adds: readonly { readonly point: string; readonly name: string }[];
  readonly health: { readonly ok: boolean; readonly says?: string };
  readonly problems: readonly BootProblem[];
}

export interface TreeParts {
  readonly members: readonly Member[];
  readonly order: readonly Member[];
  readonly offerers: Offerers;
  readonly health: readonly PluginHealth[];
  readonly problems: readonly BootProblem[];
}

/** In order of start; whoever never got that far comes last. */
export function growTree({ members, order, offerers, health, problems }: TreeParts): KernelTree {
  const shown = [...order, ...members.filter((member) => !order.includes(member))];
  const theirs = new Set(members.flatMap((member) => member.problems));
  return {
    plugins: shown.map((member) => growBranch(member, offerers, health[members.indexOf(member)])),
    totalMs: members.reduce((sum, member) => sum + (member.initMs ?? 0) + (member.startMs ?? 0), 0),
    problems: problems.filter((problem) => !theirs.has(problem)),
  };
}

function growBranch(member: Member, offerers: Offerers, health: PluginHealth | undefined): PluginBranch {
  const { plugin, found, initMs, startMs } = member;
  return {
    id: member.id,
    from: found.from,
    optional: found.optional,
    state: member.state,
    ...(initMs !== undefined && { initMs }),
    ...(startMs !== undefined && { startMs }),
    needs: Object.values(plugin.needs).map(({ id }) => ({ service: id, by: offerers.get(id)?.id ?? 'host' })),
    offers: plugin.offers.map(({ service }) => service.id),
    adds: plugin.contributions.map(({ point, name }) => ({ point: point.id, name })),
    health: { ok: health?.ok ?? false, ...(health?.says !== undefined && { says: health.says }) },
    problems: member.problems,
  };
}
