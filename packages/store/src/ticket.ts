import { BailingError } from '@bailing/plugin-api';
import type { Ms, Ticket } from '@bailing/engine/ports';

/** What a ticket stands for. Kept outside the ticket, where nobody can copy or change it. */
export interface Intended {
  readonly job: string;
  readonly tool: string;
  /** The failure streak the intend commit saw, and this process's failure count at that moment. */
  readonly streak: number;
  readonly tick: number;
  /** The journal row and its attempt; absent for reads. */
  readonly row?: { readonly id: number; readonly attempt: number };
  /** The approval this attempt spent. */
  readonly approval?: number;
  /** Not one of the calls of its job. */
  readonly uncounted?: true;
}

const MINT = Symbol('mint');
const live = new WeakMap<object, Intended>();

class MintedTicket {
  declare readonly key?: string;

  constructor(
    mint: typeof MINT,
    readonly signAt: Ms,
    readonly sendBy: Ms,
    key: string | undefined,
  ) {
    if (mint !== MINT) throw new BailingError('BAILING_STORE_TICKET_REFUSED');
    if (key !== undefined) this.key = key;
    Object.freeze(this);
  }
}

/** Only the call store calls this, after its intend commit. */
export function mint(intended: Intended, signAt: Ms, timeoutMs: Ms, key?: string): Ticket {
  const ticket = new MintedTicket(MINT, signAt, signAt + timeoutMs, key);
  live.set(ticket, intended);
  return ticket as unknown as Ticket;
}

/** Takes what a ticket stands for, once. Throws BAILING_STORE_TICKET_REFUSED for a forged or used one. */
export function redeem(ticket: Ticket): Intended {
  const intended = live.get(ticket);
  if (!intended) throw new BailingError('BAILING_STORE_TICKET_REFUSED');
  live.delete(ticket);
  return intended;
}

/** A commit that failed settled nothing: the ticket may be used again, for instance to say `unknown`. */
export function giveBack(ticket: Ticket, intended: Intended): void {
  live.set(ticket, intended);
}
