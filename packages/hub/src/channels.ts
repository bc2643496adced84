import { sha256Hex, canonicalJson } from '@bailing/contract';
import { line, messenger, type OpenChannel } from '@bailing/engine';
import type { Store } from '@bailing/engine/ports';
import type { Contributed } from '@bailing/kernel';
import { createHostRules, createHttp, type OwnedHttp } from '@bailing/outbound';
import { BailingError, type Channel, type ChannelKind, type Clock, type Invoker, type JsonSchema, type Log } from '@bailing/plugin-api';
import { secretsIn, withoutSecrets, type ChannelResource, type SettingsSchema } from '@bailing/resources';
import type { SchemaRoom } from '@bailing/schema';
import { blanker, type Blank } from './blank.js';
import { openKind } from './open-kind.js';
import { readRow, schemaOf } from './channel-rows.js';
import type { Prepared } from './live/live-config.js';

export interface ChannelsOptions {
  readonly rows: readonly ChannelResource[];
  readonly kinds: readonly Contributed<ChannelKind>[];
  readonly schema: SchemaRoom;
  /** Private hosts that addresses in messages may name (`hub.allow_private_hosts`). */
  readonly callerHosts: readonly string[];
  readonly jobs: Pick<Store['jobs'], 'get' | 'note'>;
  readonly clock: Clock;
  readonly log: Log;
}

/** A channel that was opened once, and the messages that go through it. */
interface Opened {
  /** What it was opened from. */
  readonly made: string;
  readonly channel: Channel;
  readonly revision: string;
  /** The row's `config`, with its kind's defaults. */
  readonly config: Readonly<Record<string, unknown>>;
  /** Of the secrets in its configuration. */
  readonly blank: Blank;
  through: number;
  retired: boolean;
}

interface Row extends OpenChannel {
  readonly opened: Opened;
}

/** Every configured channel, open; rows come, change and go while the hub runs. */
export class Channels {
  readonly invoker: Invoker;
  private rows: ReadonlyMap<string, Row> = new Map();
  /** Of rows that changed or are gone; messages that began on them end on them. */
  private readonly retired = new Set<Opened>();
  private readonly closing = new Set<Promise<void>>();
  private readonly http: OwnedHttp;

  /** @throws BailingError BAILING_CONFIG_INVALID where a row does not fit its kind */
  constructor(private readonly options: ChannelsOptions) {
    const { callerHosts, clock, log } = options;
    this.http = createHttp({ hosts: createHostRules({ allowPrivateHosts: [...callerHosts] }), fetchMaxBytes: DOWNLOAD_BYTES });
    this.invoker = messenger({
      channel: (name) => this.rows.get(name),
      begin: (frozen) => this.begin(frozen),
      clock,
      log,
      download: (url, limits, signal) => this.download(url, limits, signal),
      note: async (job, note) => {
        try {
          const row = await options.jobs.get(job);
          await options.jobs.note([line('builtin_send_part', { job, requestId: row?.requestId ?? '' }, clock.now(), { ...note })]);
        } catch (error) {
          log.warn('what became of a part of a message could not be written down', { job, error: String(error) });
        }
      },
    });
    this.prepare(options.rows).swap();
  }

  /** Opens what is new or changed; what stayed as it was stays open. @throws BailingError BAILING_CONFIG_INVALID where a row does not fit its kind */
  prepare(rows: readonly ChannelResource[]): Prepared {
    const made: Opened[] = [];
    const discard = () => made.forEach((one) => this.retire(one));
    try {
      const next = new Map<string, Row>();
      for (const row of rows) {
        const before = this.rows.get(row.name)?.opened;
        const opened = before?.made === madeOf(row) ? before : openOne(row, this.options);
        if (opened !== before) made.push(opened);
        const { revision, channel, blank } = opened;
        next.set(row.name, { name: row.name, kind: row.kind, revision, timeoutMs: row.timeout_ms, channel, blank, opened });
      }
      return { swap: () => this.replace(next), discard };
    } catch (error) {
      discard();
      throw error;
    }
  }

  /** What the rows lead to, with the defaults of their kinds. */
  configs(): readonly Readonly<Record<string, unknown>>[] {
    return [...this.rows.values()].map(({ opened }) => opened.config);
  }

  /** How the settings of a kind look. */
  readonly settingsSchema: SettingsSchema = (member, kind) => (member === 'channels' ? schemaOf(kind, this.options.kinds) : undefined);

  async close(): Promise<void> {
    for (const { opened } of this.rows.values()) this.retire(opened, true);
    for (const opened of [...this.retired]) this.retire(opened, true);
    await Promise.all(this.closing);
    await this.http.close();
  }

  private replace(next: ReadonlyMap<string, Row>): void {
    const before = this.rows;
    this.rows = next;
    for (const [name, { opened }] of before) if (next.get(name)?.opened !== opened) this.retire(opened);
  }

  /** A message was frozen for a channel as it was then: it goes through that one, or one that differs in secrets only, or not at all. */
  private begin(frozen: OpenChannel): ReturnType<Parameters<typeof messenger>[0]['begin']> {
    const now = this.rows.get(frozen.name);
    if (now?.kind !== frozen.kind || now.revision !== frozen.revision) return null;
    const { opened } = now;
    opened.through += 1;
    return {
      channel: now,
      end: () => {
        opened.through -= 1;
        if (opened.retired) this.retire(opened);
      },
    };
  }

  /** Closed once no message goes through it; at the end of the hub all the same. */
  private retire(opened: Opened, atOnce = false): void {
    opened.retired = true;
    this.retired.add(opened);
    if (opened.through > 0 && !atOnce) return;
    this.retired.delete(opened);
    const closed = Promise.resolve()
      .then(() => opened.channel.close?.())
      .catch((error: unknown) => this.options.log.warn('a channel did not close well', { error: opened.blank(String(error)) }))
      .finally(() => this.closing.delete(closed));
    this.closing.add(closed);
  }

  private async download(url: string, { maxBytes, timeoutMs }: { maxBytes: number; timeoutMs: number }, signal: AbortSignal) {
    const answer = await this.http.fetch(url, { signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]) }).catch(failed);
    if (!answer.ok)
      throw new BailingError('BAILING_OUTBOUND_FAILED', { detail: `${new URL(url).host}: it answered ${String(answer.status)}.` });
    const bytes = new Uint8Array(await answer.arrayBuffer().catch(failed));
    if (bytes.length > maxBytes) throw new BailingError('BAILING_OUTBOUND_TOO_LARGE', { detail: new URL(url).host });
    return { bytes, contentType: answer.headers.get('content-type') ?? 'application/octet-stream' };
  }
}

const DOWNLOAD_BYTES = 20_971_520;

/** What fetch throws names no reason that is ours to pass on; a refusal of the host rules does. */
function failed(error: unknown): never {
  if (error instanceof BailingError) throw error;
  throw new BailingError('BAILING_OUTBOUND_FAILED', { detail: 'A file could not be fetched whole.' });
}

function madeOf({ name, kind, config }: ChannelResource): string {
  return JSON.stringify([name, kind, config]);
}

function openOne(row: ChannelResource, { kinds, schema, log }: ChannelsOptions): Opened {
  const { problems, config, kind } = readRow(row, kinds, schema);
  const [first] = problems;
  if (first || !kind) throw new BailingError('BAILING_CONFIG_INVALID', { at: first?.at ?? row.name, detail: first?.says ?? '' });
  const secrets = secretsIn(config, kind.row);
  const what = { member: 'channels', name: row.name, kind: row.kind, field: 'config', ...METHODS, secrets } as const;
  const channel = openKind(what, () => kind.open(Object.freeze({ name: row.name, kind: row.kind, config })), log);
  return {
    made: madeOf(row),
    channel,
    revision: revisionOf(row, config, kind.row),
    config,
    blank: blanker(secrets),
    through: 0,
    retired: false,
  };
}

const METHODS = { methods: ['prepare', 'deliver'], optional: ['close'] } as const;

/** Of what is no secret: an approval shows that the channel is the one that was asked about, and lets nobody guess at a password. */
function revisionOf(row: ChannelResource, config: Readonly<Record<string, unknown>>, schema: JsonSchema): string {
  return sha256Hex(canonicalJson([row.kind, withoutSecrets(config, schema)])).slice(0, 16);
}
