import type { ChannelPart, PartSent } from '@bailing/plugin-api';

const UNREADABLE: PartSent = { is: 'unknown', why: 'the channel answered something that cannot be read' };

/**
 * What a channel says of a part, read as the words of a stranger: what is not exactly a yes or a no is unknown. `refused` names recipients of the message,
 * each once, in any letter case; a list that names anybody else may have meant somebody who is one.
 */
export function readSent(answer: unknown, recipients: readonly string[]): PartSent {
  if (answer === null || typeof answer !== 'object') return UNREADABLE;
  const { is, refused, why, later } = answer as Readonly<Record<string, unknown>>;
  if (is === 'accepted') return acceptedBut(refused ?? [], recipients);
  if (is !== 'refused' && is !== 'unknown') return UNREADABLE;
  const said = typeof why === 'string' && why !== '' ? why : 'the channel gave no reason';
  return is === 'unknown' ? { is, why: said } : { is, why: said, later: later === true };
}

function acceptedBut(refused: unknown, recipients: readonly string[]): PartSent {
  if (!Array.isArray(refused) || !refused.every((one) => typeof one === 'string'))
    return { is: 'unknown', why: 'the channel named recipients that were refused in a way that cannot be read' };
  const known = new Map(recipients.map((one) => [one.toLowerCase(), one]));
  const without = new Set(refused.map((one) => known.get(one.toLowerCase())));
  if (without.has(undefined))
    return { is: 'unknown', why: 'the channel says of somebody that the message was not for that it was refused' };
  return { is: 'accepted', refused: recipients.filter((one) => without.has(one)) };
}

/** Parts with a name each, and the recipients each is for; null for what is no list of parts. One that names nobody of the message is for all. */
export function readParts(parts: unknown, recipients: readonly string[]): readonly Required<ChannelPart>[] | null {
  if (!Array.isArray(parts) || !parts.every((one) => one !== null && typeof one === 'object')) return null;
  return (parts as readonly Partial<ChannelPart>[]).map((part, n) => ({
    says: typeof part.says === 'string' && part.says !== '' ? part.says : `part ${String(n + 1)}`,
    body: part.body,
    to: audienceOf(part.to, recipients),
  }));
}

function audienceOf(to: unknown, recipients: readonly string[]): readonly string[] {
  if (!Array.isArray(to)) return recipients;
  const named = new Set<unknown>(to);
  const known = recipients.filter((one) => named.has(one));
  return known.length > 0 ? known : recipients;
}
