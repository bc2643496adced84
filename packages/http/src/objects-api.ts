import { BailingError } from '@bailing/plugin-api';
import type { AdminCaller } from './hub-api.js';

/** A configuration object as answers show it (WIRE §18): its own members with secrets masked, and whose it is. */
export interface ObjectView extends Readonly<Record<string, unknown>> {
  /** `file`: declared in the configuration file, read-only over HTTP. */
  readonly managed: 'file' | 'database';
}

export interface ObjectAnswer {
  readonly view: ObjectView;
  /** Strong entity tag with its quotes; `"file"` for objects of the file. */
  readonly etag: string;
}

/** What a write expects to meet. */
export interface Expectation {
  /** `If-Match`: `*` or entity tags. */
  readonly match?: string;
  /** `If-None-Match: *`. */
  readonly create?: boolean;
}

/** A write as it is recorded: who, and through which door. */
export interface WriteCause {
  readonly by: AdminCaller;
  readonly method: string;
  readonly path: string;
}

export interface SavedObject extends ObjectAnswer {
  readonly created: boolean;
  /** Secrets in the clear that nobody can read elsewhere: those the hub made. */
  readonly shown: Readonly<Record<string, string>>;
  /** What saving led to, such as the authorisation probe of a tool provider. */
  readonly more: Readonly<Record<string, unknown>>;
}

export interface ApplyRequest {
  /** Lists of `bailing.yaml`; a kind that is not there is left alone. */
  readonly objects: Readonly<Record<string, readonly unknown[]>>;
  /** Deletes what is missing of the kinds that are there. */
  readonly prune: boolean;
  readonly dry_run: boolean;
}

export interface ApplyChange {
  readonly member: string;
  readonly name: string;
  readonly change: 'create' | 'update' | 'delete';
  /** Of an update: members that differ. */
  readonly fields: readonly string[];
}

export interface ApplyResult {
  readonly ok: true;
  readonly dry_run: boolean;
  readonly revision: number;
  readonly changes: readonly ApplyChange[];
}

/**
 * Configuration objects for operators. `member` is a list of `bailing.yaml`, `tool_providers`. Every method throws BAILING_REQUEST_NOT_FOUND for an object that
 * is not there.
 */
export interface ObjectsApi {
  /** By name, after `after`. */
  list(member: string, after: string, limit: number): Promise<{ readonly items: readonly ObjectView[]; readonly next?: string }>;
  get(member: string, name: string): Promise<ObjectAnswer>;
  /**
   * `name` null: the body names it (or the hub, for clients).
   * @throws InvalidObject; BailingError 409 for objects of the file and for what others refer to, 412 where the expectation is not met
   */
  save(member: string, name: string | null, body: unknown, expects: Expectation, cause: WriteCause): Promise<SavedObject>;
  remove(member: string, name: string, expects: Expectation, cause: WriteCause): Promise<void>;
  /** @throws InvalidObject with paths into the set (`clients[0].token`); BailingError 409 */
  apply(request: ApplyRequest, cause: WriteCause): Promise<ApplyResult>;
  /** The objects of the database by kind, secrets masked. */
  export(): Promise<Readonly<Record<string, readonly object[]>>>;
  /** A secret in the clear; audited. */
  reveal(member: string, name: string, by: AdminCaller): Promise<string>;
}

/** One thing wrong with an object. */
export interface FieldProblem {
  readonly at: string;
  readonly says: string;
}

/** Everything wrong with an object that was sent; the answer lists it. */
export class InvalidObject extends BailingError {
  constructor(
    readonly problems: readonly FieldProblem[],
    code: 'BAILING_OBJECT_INVALID' | 'BAILING_SECRET_MASKED' | 'BAILING_SECRET_MOVED' = 'BAILING_OBJECT_INVALID',
  ) {
    const [first] = problems;
    super(code, { ...(first?.at && { at: first.at }), ...(first && { detail: [first.at, first.says].filter(Boolean).join(': ') }) });
  }
}
