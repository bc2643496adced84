import type { StreamEvent } from '@bailing/plugin-api';
import { StreamGuard } from './stream-guard.js';

type Show = (event: StreamEvent) => void;

/** What readers see of one round of the model (WIRE §11.7): text as it arrives, without protocol markup, and what does not count any more. */
export class RoundStream {
  private readonly guard = new StreamGuard();

  constructor(
    private readonly round: number,
    private readonly show: Show = () => undefined,
  ) {
    show({ is: 'reset', reason: 'model_round', round });
    show({ is: 'phase', name: 'model', round });
  }

  text(written: string): void {
    this.delta(this.guard.push(written));
  }

  /** The answer is whole and clean: what was held back is shown as well. */
  clean(): void {
    this.delta(this.guard.end());
  }

  violation(): void {
    this.show({ is: 'reset', reason: 'protocol_violation', round: this.round });
  }

  tools(): void {
    this.show({ is: 'reset', reason: 'tool_call', round: this.round });
    this.show({ is: 'phase', name: 'tool', round: this.round });
  }

  private delta(text: string): void {
    if (text !== '') this.show({ is: 'delta', text, round: this.round });
  }
}
