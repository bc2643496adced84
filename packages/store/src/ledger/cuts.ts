import type { Line, Ms } from '@bailing/engine/ports';
import type { NamedHead } from './heads.js';

/** The event of WIRE §15.2 that tells where retention cuts chains: before anything of them goes. */
export const RETENTION = 'audit_retention_pruned';

/** The last line of a chain that goes, and its hash: what the line that stays is chained to. */
export interface Cut extends NamedHead {
  /** Lines that go with it now; 0 where it is only told again. */
  readonly lines: number;
}

/** `before`: lines of that time and older go. */
export function cutLine(cuts: readonly Cut[], before: Ms | null, now: Ms): Line {
  const lines = cuts.reduce((sum, cut) => sum + cut.lines, 0);
  const heads = cuts.map(({ writer, seq, hash }) => ({ writer, seq, hash }));
  const again = before === null;
  const detail = again ? { again, cuts: heads } : { before: new Date(before).toISOString(), lines, cuts: heads };
  return {
    event: RETENTION,
    at: now,
    job: '-',
    requestId: 'retention',
    stage: 'system',
    severity: 'info',
    title: again ? 'Retention: earlier cuts of the ledger told again' : 'Retention removes old lines of the ledger',
    summary: again
      ? `${String(cuts.length)} cuts`
      : `${String(lines)} lines in ${String(cuts.length)} chains, up to ${detail.before ?? ''}`,
    detail: JSON.stringify(detail),
  };
}
