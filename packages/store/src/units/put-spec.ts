import type { SpecRow } from '@bailing/engine/ports';
import { noteProbe, putSpec } from '../statements/providers.js';
import { change, type Unit } from '../lane/unit.js';

/** One commit: a fresh document replaces the kept one; without a document only the probe is noted. */
export function putSpecRow({ provider, origin, document, refreshedAt, probe }: SpecRow): Unit<void> {
  const observed = probe === null ? null : JSON.stringify(probe);
  return {
    name: 'put-spec',
    key: provider,
    *run(tx) {
      if (document === null) yield* change(noteProbe, [provider, origin, null, null, observed, tx.now]);
      else yield* change(putSpec, [provider, origin, document, refreshedAt, observed, tx.now]);
    },
  };
}
