import { sha256Hex } from '@bailing/contract';
import type { AlertRule, AuditRow, NewOutgoing } from '../ports/index.js';

/** One message for each place that the rules name, stable per line of the ledger and place (WIRE §10.4). */
export function messagesOf(row: AuditRow, key: string, message: string, rules: readonly AlertRule[]): readonly NewOutgoing[] {
  const places = new Map(rules.flatMap(placeOf).map((place) => [place.target, place]));
  return [...places.values()].map(({ kind, target, at }) => ({
    dedupe: `alert:${sha256Hex(`${String(row.seq)} ${key} ${at}`)}`,
    kind,
    ref: String(row.seq),
    target,
    body: kind === 'alert' ? JSON.stringify({ kind: 'alert', key, message }) : `${message}\n(${key})`,
    job: '-',
    requestId: row.requestId,
    signAs: '',
  }));
}

function placeOf({ url, channel, recipients }: AlertRule) {
  if (url !== undefined) return [{ kind: 'alert', target: JSON.stringify({ url, trusted: true }), at: url }];
  if (channel === undefined) return [];
  const target = JSON.stringify({ channel, to: recipients ?? [] });
  return [{ kind: 'alert_channel', target, at: target }];
}
