import type { Line, Ms } from './words.js';
import type { SpecRow } from './house-store.js';

/** Which way a change moved what an agent may do. What cannot be judged counts as looser. */
export type Direction = 'looser' | 'tighter' | 'neutral';

/** One fact about one tool (or, with an empty `tool`, about the provider) between two revisions. */
export interface SpecFact {
  readonly tool: string;
  readonly direction: Direction;
  /** Stable: `risk_lowered`, `enum_widened`, `approval_dropped` … */
  readonly code: string;
  readonly param?: string;
  readonly before?: unknown;
  readonly after?: unknown;
  readonly says: string;
}

/** What one compiled revision was compiled from; `id` is a hash over all of it, so a text never changes under its id. */
export interface RevisionText {
  readonly id: string;
  readonly provider: string;
  readonly document: string;
  readonly overlay: string | null;
}

/** A tool that nobody may call until an operator accepts what became looser about it. */
export interface FrozenRow {
  /** A tool name; `*` freezes every tool of the provider. */
  readonly tool: string;
  readonly facts: readonly SpecFact[];
  /** Fingerprint of the tool as last accepted; empty for a new one. A tool that goes back to it thaws by itself. */
  readonly accepted: string;
  readonly since: Ms;
}

/** The last authorisation probe of a provider (WIRE §4.5). */
export interface AuthzRecord {
  readonly status: 'pass' | 'suspect' | 'inconclusive' | 'skipped';
  readonly http?: number;
  readonly tool?: string;
  readonly mode?: 'dedicated' | 'tool';
  readonly requires_subject?: boolean;
  readonly reason?: string;
  /** ISO-8601. */
  readonly at: string;
}

/** What all replicas agree on about a provider's tools. */
export interface SpecState {
  readonly provider: string;
  /** Counts every change of what replicas have to know: another revision, a freeze, an acceptance. */
  readonly rev: number;
  /** Id of the current revision; null before the first. */
  readonly revision: string | null;
  /** Which configuration the revision belongs to: see `SpecRow.origin`. */
  readonly origin: string;
  readonly baseUrl: string;
  readonly attemptedAt: Ms;
  readonly authz: AuthzRecord | null;
  readonly frozen: readonly FrozenRow[];
}

/** One commit: what replaces the current revision, judged against the state of `expectedRev`. */
export interface Publication {
  /** 0 where there was no state. */
  readonly expectedRev: number;
  readonly text: RevisionText;
  readonly origin: string;
  readonly baseUrl: string;
  /** The cache of a URL provider; null for an inline document. */
  readonly spec: SpecRow | null;
  readonly freeze: readonly FrozenRow[];
  readonly thaw: readonly string[];
  readonly lines: readonly Line[];
}

/** Revisions of tool documents, which of them is current, and which jobs began with which. */
export interface RevisionStore {
  state(provider: string): Promise<SpecState | null>;
  /** The counter of every provider: one small read, asked every few seconds. */
  revs(): Promise<ReadonlyMap<string, number>>;
  /** `moved`: another replica published first; judge again. Answers the new counter. */
  publish(publication: Publication): Promise<number | 'moved'>;
  /** Takes the next refresh of a provider for this caller: false where somebody else began one after `notAfter`. */
  attempt(provider: string, notAfter: Ms): Promise<boolean>;
  noteAuthz(provider: string, record: AuthzRecord, line: Line): Promise<void>;
  /** One commit with its line: thaws these tools (`*` is an entry like any other) and answers those that were frozen; none: nothing is written. */
  accept(provider: string, tools: readonly string[], line: Line): Promise<readonly string[]>;
  text(id: string): Promise<RevisionText | null>;
  /** Writes down a set of revisions that jobs will be stamped with; again keeps it from being collected. */
  keepSet(id: string, texts: readonly RevisionText[]): Promise<void>;
  /** Provider → revision id; null for a set that was collected. */
  set(id: string): Promise<ReadonlyMap<string, string> | null>;
  /** Removes sets and texts not kept after `before`, that no unfinished job and no open approval needs and that are not current. */
  collect(before: Ms): Promise<{ readonly sets: number; readonly texts: number }>;
}
