import type { HostService } from './host-service.js';
import type { Member } from './member.js';
import { bootProblem, type BootProblem } from './problem.js';

/** Whose offer serves a service, by service id. A service that is not in here comes from the host. */
export type Offerers = ReadonlyMap<string, Member>;

export interface Plan {
  /** Who needs a service comes after who offers it; otherwise the order of the configuration. */
  readonly order: readonly Member[];
  readonly offerers: Offerers;
  readonly problems: readonly BootProblem[];
}

/** The configuration's choice where several plugins offer one service: service id → plugin id, or `host`. */
export type Choices = Readonly<Record<string, string>>;

/** Decides who serves what and in which order plugins start. Marks members that cannot. */
export function plan(members: readonly Member[], host: readonly HostService[], choices: Choices): Plan {
  checkReserved(members, host);
  const { offerers, problems } = chooseOfferers(members, host, choices);
  while (members.some((member) => !member.failed && lacksService(member, host, offerers)));
  const order = sortByNeed(
    members.filter((member) => !member.failed),
    offerers,
  );
  while (members.some((member) => !member.failed && lacksService(member, host, offerers)));
  return { order: order.filter((member) => !member.failed), offerers, problems };
}

function checkReserved(members: readonly Member[], host: readonly HostService[]): void {
  for (const member of members) {
    for (const { service } of member.failed ? [] : member.plugin.offers) {
      if (!host.some(({ ref, replaceable }) => ref.id === service.id && !replaceable)) continue;
      member.fail(bootProblem('BAILING_PLUGIN_SERVICE_RESERVED', member.source(service.id, `The host keeps ${service.id} to itself.`)));
    }
  }
}

function chooseOfferers(members: readonly Member[], host: readonly HostService[], choices: Choices) {
  const offers = new Map<string, Member[]>();
  for (const member of members) {
    for (const { service } of member.failed ? [] : member.plugin.offers)
      offers.set(service.id, [...(offers.get(service.id) ?? []), member]);
  }
  const offerers = new Map<string, Member>();
  const problems: BootProblem[] = [];
  for (const id of new Set([...offers.keys(), ...Object.keys(choices)])) {
    const candidates = offers.get(id) ?? [];
    const chosen = Object.hasOwn(choices, id) ? choices[id] : undefined;
    if (chosen === 'host' && host.some(({ ref }) => ref.id === id)) continue;
    const fitting = chosen === undefined ? candidates : candidates.filter((candidate) => candidate.id === chosen);
    const [only] = fitting;
    if (only && fitting.length === 1) offerers.set(id, only);
    else problems.push(ambiguity(id, candidates, chosen));
  }
  return { offerers, problems };
}

function ambiguity(id: string, candidates: readonly Member[], chosen: string | undefined): BootProblem {
  const names = candidates.map((candidate) => candidate.id).join(', ');
  if (chosen === undefined) {
    const fix = `Name one of them under services: { ${id}: <plugin> }.`;
    return bootProblem('BAILING_PLUGIN_SERVICE_AMBIGUOUS', { plugin: names, at: id, detail: `${names} all offer ${id}.`, fix });
  }
  const detail = `The configuration chooses ${chosen} for ${id}, and ${chosen} does not offer it.`;
  const fix = names === '' ? `Remove the choice; nobody offers ${id}.` : `Choose one of ${names}.`;
  return bootProblem('BAILING_PLUGIN_SERVICE_MISSING', { plugin: chosen, at: `services.${id}`, detail, fix });
}

/** Marks a member whose needs nobody serves; a service of a plugin that failed is not served by anybody else instead. */
function lacksService(member: Member, host: readonly HostService[], offerers: Offerers): boolean {
  for (const ref of Object.values(member.plugin.needs)) {
    const offerer = offerers.get(ref.id);
    if (offerer ? !offerer.failed : host.some((service) => service.ref.id === ref.id)) continue;
    member.fail(missingService(member, ref.id, offerer));
  }
  return member.failed;
}

export function missingService(member: Member, id: string, offerer: Member | undefined): BootProblem {
  const says = offerer ? `It needs ${id} of ${offerer.id}, which failed.` : `It needs ${id}, which nobody offers.`;
  const fix = offerer ? `Repair ${offerer.id} first.` : 'Add a plugin that offers it.';
  return bootProblem('BAILING_PLUGIN_SERVICE_MISSING', member.source(id, says, fix));
}

/** Depth first in configuration order. Members of a circle are marked, with the circle named. */
function sortByNeed(members: readonly Member[], offerers: Offerers): readonly Member[] {
  const order: Member[] = [];
  const done = new Set<Member>();
  const path: Member[] = [];
  const visit = (member: Member): void => {
    if (done.has(member)) return;
    const start = path.indexOf(member);
    if (start >= 0) {
      nameCircle(path.slice(start), offerers);
      return;
    }
    path.push(member);
    for (const ref of Object.values(member.plugin.needs)) {
      const offerer = offerers.get(ref.id);
      if (offerer) visit(offerer);
    }
    path.pop();
    done.add(member);
    order.push(member);
  };
  members.forEach(visit);
  return order;
}

function nameCircle(circle: readonly Member[], offerers: Offerers): void {
  const steps = circle.map((member, index) => {
    const next = circle[(index + 1) % circle.length] as Member;
    const ref = Object.values(member.plugin.needs).find((need) => offerers.get(need.id) === next);
    return `${member.id} needs ${ref?.id ?? 'a service'} of ${next.id}`;
  });
  for (const member of circle) {
    const at = Object.values(member.plugin.needs).find((need) => circle.includes(offerers.get(need.id) as Member))?.id ?? '';
    member.fail(bootProblem('BAILING_PLUGIN_CYCLE', member.source(at, `${steps.join(', ')}.`)));
  }
}
