import type { CallResult } from '../calls/index.js';
import type { LoopFacts } from './loop-words.js';

interface Counted {
  readonly made: number;
  readonly sent: number;
  readonly pending: LoopFacts['pending'];
}

/** What came of the calls of a job, over restarts. A question that is asked again is the same question. */
export class Tally {
  made: number;
  sent: number;
  private readonly questions: Map<number, LoopFacts['pending'][number]>;

  constructor(before: Counted = { made: 0, sent: 0, pending: [] }) {
    this.made = before.made;
    this.sent = before.sent;
    this.questions = new Map(before.pending.map((question) => [question.approvalId, question]));
  }

  add({ sent, governance }: CallResult): void {
    this.made++;
    if (sent) this.sent++;
    if (governance?.state === 'approval_pending') this.questions.set(governance.approvalId, governance);
  }

  get pending(): LoopFacts['pending'] {
    return [...this.questions.values()];
  }

  facts(): Counted {
    return { made: this.made, sent: this.sent, pending: this.pending };
  }
}
