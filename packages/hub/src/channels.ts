import { sha256Hex, canonicalJson } from '@bailing/contract';
import { line, messenger, type OpenChannel } from '@bailing/engine';
import type { Store } from '@bailing/engine/ports';
import type { Contributed } from '@bailing/kernel';
import { createHostRules, createHttp } from '@bailing/outbound';
import { BailingError, type ChannelKind, type Clock, type Invoker, type JsonSchema, type Log } from '@bailing/plugin-api';
import type { ChannelResource } from '@bailing/resources';
import type { SchemaRoom } from '@bailing/schema';

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

export interface Channels {
  readonly invoker: Invoker;
  close(): Promise<void>;
}

/** One thing wrong with a row's `config`. */
export interface ChannelProblem {
  readonly at: string;
  readonly says: string;
}

/** What a kind says about one row: what is wrong, or the configuration with its defaults. */
export function readRow(
  row: ChannelResource,
  kinds: readonly Pick<Contributed<ChannelKind>, 'name' | 'value'>[],
  schema: SchemaRoom,
): {
  readonly problems: readonly ChannelProblem[];
  readonly config: Readonly<Record<string, unknown>>;
  readonly kind: ChannelKind | undefined;
} {
  const kind = kinds.find(({ name }) => name === row.kind)?.value;
  const at = `channels ${row.name}`;
  if (!kind) {
    const says = `No plugin brings the channel kind ${JSON.stringify(row.kind)}.`;
    return { problems: [{ at: `${at}, kind`, says }], config: row.config, kind };
  }
  const compiled = schema.compileConfig(kind.row);
  if (!compiled.ok) return { problems: [{ at, says: 'The schema of this channel kind is broken.' }], config: row.config, kind };
  const checked = compiled.check(row.config);
  if (checked.ok) return { problems: [], config: checked.value as Readonly<Record<string, unknown>>, kind };
  const problems = checked.problems.map((one) => ({ at: `${at}, config${one.at === '' ? '' : `.${one.at}`}`, says: one.says }));
  return { problems, config: row.config, kind };
}

/** Opens every configured channel once. @throws BailingError BAILING_CONFIG_INVALID where a row does not fit its kind */
export function openChannels(options: ChannelsOptions): Channels {
  const open = new Map<string, OpenChannel>();
  for (const row of options.rows) open.set(row.name, openOne(row, options));
  const http = createHttp({ hosts: createHostRules({ allowPrivateHosts: [...options.callerHosts] }), fetchMaxBytes: DOWNLOAD_BYTES });
  const { clock, log, jobs } = options;
  const invoker = messenger({
    channel: (name) => open.get(name),
    clock,
    log,
    download: async (url, { maxBytes, timeoutMs }, signal) => {
      const answer = await http.fetch(url, { signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]) }).catch(failed);
      if (!answer.ok)
        throw new BailingError('BAILING_OUTBOUND_FAILED', { detail: `${new URL(url).host}: it answered ${String(answer.status)}.` });
      const bytes = new Uint8Array(await answer.arrayBuffer().catch(failed));
      if (bytes.length > maxBytes) throw new BailingError('BAILING_OUTBOUND_TOO_LARGE', { detail: new URL(url).host });
      return { bytes, contentType: answer.headers.get('content-type') ?? 'application/octet-stream' };
    },
    note: async (job, note) => {
      try {
        const row = await jobs.get(job);
        await jobs.note([line('builtin_send_part', { job, requestId: row?.requestId ?? '' }, clock.now(), { ...note })]);
      } catch (error) {
        log.warn('what became of a part of a message could not be written down', { job, error: String(error) });
      }
    },
  });
  return {
    invoker,
    close: async () => {
      await Promise.allSettled([...open.values()].map(async ({ channel }) => channel.close?.()));
      await http.close();
    },
  };
}

const DOWNLOAD_BYTES = 20_971_520;

/** What fetch throws names no reason that is ours to pass on; a refusal of the host rules does. */
function failed(error: unknown): never {
  if (error instanceof BailingError) throw error;
  throw new BailingError('BAILING_OUTBOUND_FAILED', { detail: 'A file could not be fetched whole.' });
}

function openOne(row: ChannelResource, { kinds, schema }: ChannelsOptions): OpenChannel {
  const { problems, config, kind } = readRow(row, kinds, schema);
  const [first] = problems;
  if (first || !kind) throw new BailingError('BAILING_CONFIG_INVALID', { at: first?.at ?? row.name, detail: first?.says ?? '' });
  const channel = kind.open(Object.freeze({ name: row.name, kind: row.kind, config }));
  return { name: row.name, kind: row.kind, revision: revisionOf(row, config, kind.row), timeoutMs: row.timeout_ms, channel };
}

/** Of what is no secret: an approval shows that the channel is the one that was asked about, and lets nobody guess at a password. */
function revisionOf(row: ChannelResource, config: Readonly<Record<string, unknown>>, schema: JsonSchema): string {
  const properties = (typeof schema === 'object' ? schema.properties : undefined) as
    Readonly<Record<string, { writeOnly?: unknown }>> | undefined;
  const shown = Object.entries(config).filter(([name]) => properties?.[name]?.writeOnly !== true);
  return sha256Hex(canonicalJson([row.kind, Object.fromEntries(shown)])).slice(0, 16);
}
