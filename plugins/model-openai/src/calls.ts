import type { ModelDelta } from '@bailing/plugin-api';
import { broken } from './failure.js';
import { MAX_ARGUMENTS, MAX_CALLS, MAX_ECHO } from './limits.js';
import { isJson, member, parsed, word } from './shape.js';

interface Slot {
  readonly index: number;
  /** The provider's own index; undefined where it sends none. */
  readonly key: number | undefined;
  readonly id: string | undefined;
  name: string;
  args: string;
  echo: string | undefined;
  opened: boolean;
}

interface Piece {
  readonly key: number | undefined;
  readonly id: string | undefined;
  readonly name: string | undefined;
  readonly args: string;
  /** The arguments came as an object, so they are whole. */
  readonly whole: boolean;
  /** Gemini signs its thoughts beside the call and refuses the next round without them. */
  readonly echo: string | undefined;
}

/**
 * Sorts the fragments of tool calls into calls with dense indexes of our own. Providers leave the index out, send null, give every
 * parallel call index 0, or invent a new id for each fragment; what stays ambiguous fails the answer, so that nothing is executed.
 */
export class CallBook {
  readonly #slots: Slot[] = [];

  get count(): number {
    return this.#slots.length;
  }

  /** @param alone whether it is the only fragment of its chunk */
  add(fragment: unknown, alone: boolean): ModelDelta[] {
    const piece = pieceOf(fragment);
    if (!alone && piece.key === undefined && piece.id === undefined && piece.name === undefined) {
      throw broken('several fragments of tool calls without index, id or name');
    }
    const slot = this.#slotFor(piece);
    if (piece.name !== undefined && slot.name !== piece.name) slot.name += piece.name;
    if (piece.echo !== undefined) slot.echo = piece.echo;
    return this.#append(slot, piece);
  }

  /** Announces the calls that never got arguments. A call without a name stays without: whoever assembles must not run it. */
  end(): ModelDelta[] {
    return this.#slots.filter((slot) => !slot.opened).map((slot) => announce(slot, undefined));
  }

  #append(slot: Slot, piece: Piece): ModelDelta[] {
    if (piece.args === '') return slot.opened && piece.echo !== undefined ? [{ is: 'call', index: slot.index, echo: piece.echo }] : [];
    if (piece.whole && slot.args !== '') throw broken('a tool call got its arguments as text and as an object');
    slot.args += piece.args;
    if (slot.args.length > MAX_ARGUMENTS) throw broken('the arguments of a tool call are too large');
    if (!slot.opened) return [announce(slot, piece.args)];
    return [{ is: 'call', index: slot.index, arguments: piece.args, ...(piece.echo !== undefined && { echo: piece.echo }) }];
  }

  #slotFor(piece: Piece): Slot {
    const candidate = piece.key === undefined ? this.#unindexed(piece) : this.#slots.findLast((slot) => slot.key === piece.key);
    return candidate && !startsAnother(candidate, piece) ? candidate : this.#open(piece);
  }

  /** Without an index: the call with that id, else the call written last. */
  #unindexed(piece: Piece): Slot | undefined {
    const last = this.#slots.at(-1);
    if (piece.id === undefined) return last;
    return this.#slots.findLast((slot) => slot.id === piece.id) ?? last;
  }

  #open(piece: Piece): Slot {
    if (this.#slots.length >= MAX_CALLS) throw broken('too many tool calls in one answer');
    const slot: Slot = { index: this.#slots.length, key: piece.key, id: piece.id, name: '', args: '', echo: undefined, opened: false };
    this.#slots.push(slot);
    return slot;
  }
}

function announce(slot: Slot, args: string | undefined): ModelDelta {
  slot.opened = true;
  return {
    is: 'call',
    index: slot.index,
    ...(slot.id !== undefined && { id: slot.id }),
    ...(slot.name !== '' && { name: slot.name }),
    ...(args !== undefined && { arguments: args }),
    ...(slot.echo !== undefined && { echo: slot.echo }),
  };
}

/** Whether a fragment that looks like a continuation is really the next call, under the same index or under none. */
function startsAnother(slot: Slot, piece: Piece): boolean {
  if (piece.name === undefined || slot.name === '') return false;
  const sameId = piece.id !== undefined && piece.id === slot.id;
  const otherId = piece.id !== undefined && slot.id !== undefined && !sameId;
  const otherName = piece.name !== slot.name;
  // GLM behind vLLM repeats id and name beside the last piece of the arguments.
  if (!otherName && !otherId && (sameId || piece.key !== undefined || piece.args === '')) return false;
  if (slot.args === '') return emptyThenAnother(otherId, otherName, piece);
  if (isJson(parsed(slot.args)) && !sameId) return true;
  if (!otherName && !otherId) return false;
  throw broken('a tool call that begins inside another one');
}

/** The call before has no arguments so far: it may have none at all. */
function emptyThenAnother(otherId: boolean, otherName: boolean, piece: Piece): boolean {
  if (otherId && !otherName) throw broken('two tool calls that cannot be told apart');
  // Without a new id but with an index the name itself comes in pieces.
  return otherName && (otherId || piece.key === undefined);
}

function pieceOf(fragment: unknown): Piece {
  const call = member(fragment, 'function') ?? fragment;
  const index = member(fragment, 'index');
  const args = member(call, 'arguments');
  const whole = typeof args === 'object' && args !== null;
  return {
    key: typeof index === 'number' && Number.isInteger(index) && index >= 0 ? index : undefined,
    id: word(member(fragment, 'id')),
    name: word(member(call, 'name')),
    args: typeof args === 'string' ? args : whole ? JSON.stringify(args) : '',
    whole,
    echo: echoOf(member(fragment, 'extra_content')),
  };
}

function echoOf(extra: unknown): string | undefined {
  if (!isJson(extra)) return undefined;
  const text = JSON.stringify(extra);
  if (text.length > MAX_ECHO) throw broken('what came beside a tool call is too large');
  return text;
}
