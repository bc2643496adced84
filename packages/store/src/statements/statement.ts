/** What a statement binds and answers: text, integers (milliseconds, counters, 0/1) and null. Nothing else is stored. */
export type Value = string | number | null;

/** A statement's texts, dialect variants side by side. */
export interface Prepared {
  readonly name: string;
  readonly sqlite: string;
  readonly mysql: string;
  /** Words of transactions: MySQL prepares none of them (1295), so they travel as text. */
  readonly control?: true;
}

/** One prepared statement. The row type is what its author promises about the columns. */
export interface Statement<P extends readonly Value[] = readonly Value[], Row = never> extends Prepared {
  /** Type-only: never set. */
  readonly types?: (params: P) => Row;
}

type Variants = string | { readonly sqlite: string; readonly mysql: string };

export function statement<P extends readonly Value[], Row = never>(name: string, sql: Variants): Statement<P, Row> {
  return Object.freeze(typeof sql === 'string' ? { name, sqlite: sql, mysql: sql } : { name, ...sql });
}

/** A word of transactions, without parameters. */
export function control(name: string, sql: Variants): Statement<[]> {
  return Object.freeze({ ...statement<[]>(name, sql), control: true });
}

/** List parameters come in these lengths only, so that every database keeps few prepared texts. */
const LENGTHS = [1, 2, 4, 8, 16, 32, 64] as const;
export const LIST_MAX = 64;

export interface ListStatement<Row> {
  /** The statement for the padded length of `count` items. */
  of(count: number): Statement<readonly Value[], Row>;
}

/** A statement over a list: `build` gets the padded length. Callers pad their items with `padded`. */
export function listStatement<Row = never>(name: string, build: (length: number) => Variants): ListStatement<Row> {
  const kept = new Map<number, Statement<readonly Value[], Row>>();
  return Object.freeze({
    of(count: number) {
      const length = paddedLength(count);
      const found = kept.get(length) ?? statement<readonly Value[], Row>(name, build(length));
      kept.set(length, found);
      return found;
    },
  });
}

/** Repeats the last item up to the next prepared length; a repeated item changes no answer of an IN or OR list. */
export function padded<T>(items: readonly T[]): readonly T[] {
  const last = items.at(-1);
  if (last === undefined) throw new RangeError('A list statement needs at least one item.');
  const length = paddedLength(items.length);
  return items.length === length ? items : [...items, ...Array<T>(length - items.length).fill(last)];
}

/** Items by as many as one list statement takes. */
export function chunks<T>(all: readonly T[]): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(all.length / LIST_MAX) }, (_, index) => all.slice(index * LIST_MAX, (index + 1) * LIST_MAX));
}

/** `?, ?, ?` */
export function marks(length: number): string {
  return Array<string>(length).fill('?').join(', ');
}

function paddedLength(count: number): number {
  const length = LENGTHS.find((candidate) => candidate >= count);
  if (length === undefined) throw new RangeError(`A list statement takes at most ${String(LIST_MAX)} items, not ${String(count)}.`);
  return length;
}
