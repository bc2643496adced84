import type { Line, ObjectChange, ObjectRow, ObjectStore } from '@bailing/engine/ports';
import { BailingError, type Log } from '@bailing/plugin-api';
import { kindOf, openObject, sealObject, type BailingConfig, type KeptObject, type ObjectMember } from '@bailing/resources';
import { combine, misfitText, unopened, type Combination } from './findings.js';
import type { Keys } from './keys.js';

/** What is ready to be swapped in; opened beforehand, so that the swap itself cannot fail. */
export interface Prepared {
  swap(): void;
  /** Closes what was opened for nothing. */
  discard(): void;
}

export interface LiveConfigOptions {
  readonly file: BailingConfig;
  readonly objects: ObjectStore;
  readonly keys: Keys;
  readonly log: Log;
  readonly now: () => number;
  /** How often this replica asks for the revision. Default 1 s. */
  readonly pollMs?: number;
  /** Judges a change where nothing runs; whatever runs gives its own to `start`. */
  readonly prepare?: (config: BailingConfig) => Prepared;
}

/** An object of the database with its revision. */
export interface Kept extends KeptObject {
  readonly rev: number;
  readonly updatedAt: number;
  readonly updatedBy: string;
}

/** The database's objects as this replica knows them. */
export interface Known {
  readonly rev: number;
  readonly kept: ReadonlyMap<string, Kept>;
}

/** A change worked out against one state: what to write, its evidence, and what to answer. `value` null removes. */
export interface Draft<R> {
  /** Judged and answered, not written. */
  readonly dry?: boolean;
  readonly writes: readonly {
    readonly member: ObjectMember;
    readonly name: string;
    readonly value: Readonly<Record<string, unknown>> | null;
  }[];
  readonly lines: readonly Line[];
  /** Judges the combination before anything is written; throws to refuse. */
  judge(combination: Combination): void;
  /** `rev` is the revision that was written. */
  answer(rev: number): R;
}

const POLL_MS = 1_000;
/** Replicas that write at once look again this often; each time somebody has made progress. */
const ROUNDS = 8;

/**
 * The configuration while the hub runs: the file's objects and the database's as one immutable value. The replica that writes swaps at once; the others see
 * the global revision move within a second. What does not fit together, or cannot be opened, never replaces what works.
 */
export class LiveConfig {
  private file: BailingConfig;
  private known: Known = { rev: 0, kept: new Map() };
  private good: BailingConfig | undefined;
  private prepare: LiveConfigOptions['prepare'];
  /** The revision that was found wanting, so that it is told once. */
  private refused = -1;
  private timer: NodeJS.Timeout | undefined;
  private working: Promise<unknown> = Promise.resolve();
  private polling = false;

  constructor(private readonly options: LiveConfigOptions) {
    this.file = options.file;
    this.prepare = options.prepare;
  }

  /** What is in force. */
  get config(): BailingConfig {
    return this.good ?? this.file;
  }

  get state(): Known {
    return this.known;
  }

  /** Whether the configuration file owns this object. */
  owns(member: ObjectMember, name: string): boolean {
    const { key } = kindOf(member);
    return (this.file[member] as readonly object[]).some((one) => (one as Readonly<Record<string, unknown>>)[key] === name);
  }

  /** Reads the database for the first time. @throws BailingError where file and database do not fit, or a secret cannot be opened */
  async open(): Promise<BailingConfig> {
    await this.read();
    const { config, misfits } = this.combined(this.file, this.known);
    const [first, ...more] = misfits;
    if (first) {
      const code = misfits.some(({ says }) => says.startsWith('It stands in')) ? 'BAILING_OBJECT_TWICE' : 'BAILING_CONFIG_INVALID';
      throw new BailingError(code, { detail: [first, ...more].slice(0, 10).map(misfitText).join('; ') });
    }
    return (this.good = config);
  }

  /** From now on changes are swapped in. */
  start(prepare: (config: BailingConfig) => Prepared): void {
    this.prepare = prepare;
    this.timer = setInterval(() => this.poll(), this.options.pollMs ?? POLL_MS);
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.working;
  }

  /** The file was read again. @throws BailingError where nothing was swapped */
  reread(file: BailingConfig): void {
    const { config, misfits } = this.combined(file, this.known);
    if (misfits[0]) throw new BailingError('BAILING_CONFIG_INVALID', { detail: misfits.slice(0, 10).map(misfitText).join('; ') });
    const prepared = this.prepared(config);
    this.file = file;
    this.accept(config, prepared);
  }

  /** Works a change out, checks it as a whole, writes it and swaps. One after another in this process. @throws what `draft` or its judge throws */
  change<R>(by: string, draft: (known: Known) => Promise<Draft<R>> | Draft<R>): Promise<R> {
    return this.inTurn(async () => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const ended = await this.attempt(by, await draft(this.known));
        if (ended !== 'moved') return ended.answer;
        await this.refresh();
      }
      throw new BailingError('BAILING_STORE_BUSY', { detail: 'Others kept changing the configuration.' });
    });
  }

  /** Looks for what others wrote, now. Where nobody wrote anything it is one small read, however many ask. */
  look(): Promise<void> {
    return this.inTurn(async () => {
      if ((await this.options.objects.rev()) !== this.known.rev) await this.refresh();
    });
  }

  private async attempt<R>(by: string, draft: Draft<R>): Promise<{ readonly answer: R } | 'moved'> {
    const { rev } = this.known;
    const { file } = this;
    const kept = new Map(this.known.kept);
    for (const { member, name, value } of draft.writes) {
      if (value === null) kept.delete(`${member}/${name}`);
      else kept.set(`${member}/${name}`, { member, name, value, rev: rev + 1, updatedAt: this.options.now(), updatedBy: by });
    }
    const combination = this.combined(file, { rev, kept });
    draft.judge(combination);
    if (draft.writes.length === 0) return { answer: draft.answer(rev) };
    const prepared = this.opened(combination, draft);
    if (draft.dry === true) {
      prepared?.discard();
      return { answer: draft.answer(rev) };
    }
    const written = await this.write(rev, by, draft).catch((error: unknown) => {
      prepared?.discard();
      throw error;
    });
    if (written === 'moved') {
      prepared?.discard();
      return 'moved';
    }
    this.known = { rev: written, kept };
    if (this.file === file) this.accept(combination.config, prepared);
    else {
      // The file was read again meanwhile.
      prepared?.discard();
      this.reconsider();
    }
    return { answer: draft.answer(written) };
  }

  private write(rev: number, by: string, { writes, lines }: Draft<unknown>): Promise<number | 'moved'> {
    const { objects, keys } = this.options;
    // Another process may have rotated the key file.
    keys.forget();
    const changes: ObjectChange[] = writes.map(({ member, name, value }) => ({
      kind: member,
      name,
      doc: value === null ? null : sealObject(kindOf(member), name, value, () => keys.sealing()),
    }));
    return objects.write(rev, changes, by, lines);
  }

  private poll(): void {
    if (this.polling) return;
    this.polling = true;
    void this.options.objects
      .rev()
      .then((rev) => (rev === this.known.rev ? undefined : this.inTurn(() => this.refresh())))
      .catch((error: unknown) => this.options.log.warn('the configuration could not be looked at', { error: String(error) }))
      .finally(() => (this.polling = false));
  }

  private async refresh(): Promise<void> {
    await this.read();
    this.reconsider();
  }

  private reconsider(): void {
    const { rev } = this.known;
    const { config, misfits } = this.combined(this.file, this.known);
    if (misfits.length > 0) return this.refuse(rev, misfits.map(misfitText));
    try {
      this.accept(config, this.prepared(config));
    } catch (error) {
      this.refuse(rev, [error instanceof Error ? error.message : String(error)]);
    }
  }

  private refuse(rev: number, why: readonly string[]): void {
    if (this.refused === rev) return;
    this.refused = rev;
    this.options.log.error('the configuration of the database does not fit this hub; what was in force stays', {
      revision: rev,
      why: why.slice(0, 10),
    });
  }

  /** Brings what is known to the database's revision. */
  private async read(): Promise<void> {
    const { objects, keys } = this.options;
    const { rev, names, changed } = await objects.since(this.known.rev);
    const kept = new Map([...this.known.kept].filter(([key]) => names.has(key)));
    if (changed.length > 0) keys.forget();
    for (const row of changed) if (knows(row)) kept.set(`${row.kind}/${row.name}`, opened(row, keys));
    this.known = { rev, kept };
  }

  private combined(file: BailingConfig, { kept }: Known): Combination {
    return combine(file, [...kept.values()]);
  }

  private prepared(config: BailingConfig): Prepared | undefined {
    return this.prepare?.(config);
  }

  /** What cannot be opened is judged like what does not fit: the fault of whoever sent it, and not of the hub. */
  private opened({ config }: Combination, draft: Draft<unknown>): Prepared | undefined {
    try {
      return this.prepared(config);
    } catch (error) {
      const misfit = error instanceof BailingError ? unopened(error, config) : null;
      if (misfit) draft.judge({ config, misfits: [misfit] });
      throw error;
    }
  }

  private accept(config: BailingConfig, prepared: Prepared | undefined): void {
    this.good = config;
    this.refused = -1;
    prepared?.swap();
  }

  private inTurn<R>(work: () => Promise<R>): Promise<R> {
    const mine = this.working.then(work, work);
    this.working = mine.catch(() => undefined);
    return mine;
  }
}

/** Rows of a kind that a newer version wrote are left alone. */
function knows({ kind }: ObjectRow): boolean {
  try {
    return kindOf(kind).member === kind;
  } catch {
    return false;
  }
}

function opened({ kind, name, doc, rev, updatedAt, updatedBy }: ObjectRow, keys: Keys): Kept {
  const { member } = kindOf(kind);
  return { member, name, value: openObject(kindOf(kind), name, doc, () => keys.opening()), rev, updatedAt, updatedBy };
}
