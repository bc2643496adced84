import type { Line, Ms } from './words.js';

/** A configuration object as it is kept (WIRE §18). `doc` is JSON text with sealed secrets; the store looks into none of it. */
export interface ObjectRow {
  /** List of `bailing.yaml` it belongs to. */
  readonly kind: string;
  readonly name: string;
  readonly doc: string;
  /** The global revision that wrote it: it never comes back, not even after a removal. */
  readonly rev: number;
  readonly updatedAt: Ms;
  readonly updatedBy: string;
}

/** `doc` null removes. */
export interface ObjectChange {
  readonly kind: string;
  readonly name: string;
  readonly doc: string | null;
}

/** What changed since a revision, as one moment of the database. */
export interface ObjectsSince {
  readonly rev: number;
  /** Every object there is, as `kind/name`. */
  readonly names: ReadonlySet<string>;
  /** Those written after the revision that was asked about. */
  readonly changed: readonly ObjectRow[];
}

/** Configuration objects that live in the database. One revision counts all of them: whoever knows it knows whether anything changed. */
export interface ObjectStore {
  /** 0 before the first change. One small query: replicas ask it every interval. */
  rev(): Promise<number>;
  since(rev: number): Promise<ObjectsSince>;
  /**
   * One commit: the changes, their lines and the next revision; nothing where the revision is not `rev` any more. What was checked against one state is
   * never written into another.
   */
  write(rev: number, changes: readonly ObjectChange[], by: string, lines: readonly Line[]): Promise<number | 'moved'>;
  /** Another seal around the same object; false where it was written meanwhile. Neither its revision nor the global one moves. */
  reseal(row: ObjectRow, doc: string): Promise<boolean>;
}
