import type { NewOutgoing } from '@bailing/engine/ports';
import { putOutgoingRow } from '../statements/outbox.js';
import { change, type Steps, type Tx, type Unit } from '../lane/unit.js';

/** Puts one thing that must still be sent into the commit of whatever made it. */
export function* putOutgoing(tx: Tx, { dedupe, kind, ref, target, body, job, requestId, signAs }: NewOutgoing): Steps<void> {
  yield* change(putOutgoingRow, [dedupe, kind, ref, target, body, job, requestId, signAs, tx.now, tx.now, tx.now]);
}

export function putAll(outgoing: readonly NewOutgoing[]): Unit<void> {
  return {
    name: 'put-outgoing',
    key: outgoing[0]?.job ?? '-',
    *run(tx) {
      for (const one of outgoing) yield* putOutgoing(tx, one);
    },
  };
}
