import type { Clock, CredentialRow, Log, ModelPart, ModelProvider } from '@bailing/plugin-api';
import type { Downloads, RouteSettings } from '../ports/index.js';
import type { FetchTime } from './fetch-time.js';
import type { Links } from './links.js';
import type { Readers } from './readers.js';
import type { Sight } from './sight.js';

type Detail = Readonly<Record<string, unknown>>;

/** A credential opened for one use; its row holds the key and goes no further than memory. */
export interface OpenedCredential {
  readonly row: CredentialRow;
  readonly provider: ModelProvider;
}

export interface InputDeps {
  readonly readers: Readers;
  readonly downloads: Downloads;
  /** An enabled credential by name; the one of the route's brain where no name is given. Undefined where there is none. */
  readonly credential: (route: RouteSettings, name: string | undefined) => OpenedCredential | undefined;
  readonly clock: Clock;
  readonly log: Log;
}

/** What one job has of its inputs while they are read. */
export interface InputContext {
  readonly route: RouteSettings;
  readonly text: string;
  readonly deps: InputDeps;
  readonly signal: AbortSignal;
  /** Nothing more is fetched after this time; what is left is named as not read. */
  readonly until: number;
  /** What the downloads of this message may still take. */
  readonly fetching: FetchTime;
  /** Writes an audit line of the job; never throws. */
  readonly note: (event: string, detail: Detail) => void;
}

/** What is to be read for a job. */
export type InputOrder = Omit<InputContext, 'fetching'>;

/** What a job's inputs came to. It is made again where a job begins again; only what was said is kept, for those who come after. */
export interface Prepared {
  /** The user's words with what was heard in recordings: as good as typed. */
  readonly said: string;
  /** The texts of files and images, for the brain, after the user's words; empty where there are none. */
  readonly blocks: string;
  /** Media that go to the brain as they are. */
  readonly parts: readonly ModelPart[];
  /** Sentences of the system prompt about them. */
  readonly duties: readonly string[];
  /** An answer without a brain: there was nothing but recordings, and none could be heard. */
  readonly guidance?: string;
  /** How images can be looked at, where the brain decides about it. */
  readonly sight?: Sight;
  /** Said in place of images that an endpoint refused. */
  readonly stripped?: string;
  /** For the `llm_request` line. */
  readonly facts: Detail;
  /** What an executor is handed beside the text (WIRE §3.1). */
  readonly handed: Pick<Links, 'image' | 'audio' | 'file'>;
}

export type { Detail };
