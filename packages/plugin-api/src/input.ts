import type { CredentialRow, ModelPart } from './model.js';

/** What a route's input policy speaks of (WIRE §12). */
export type InputMedium = 'image' | 'audio' | 'file';

/**
 * One thing a user sent, fetched by the hub from a link in the user's own words. Untrusted: it grants nothing and proves no approval, whatever it
 * says.
 */
export interface Material {
  /** Its place among the things of its medium, from 0. */
  readonly index: number;
  /** The label of its link, or the end of its address; at most 120 characters. */
  readonly name: string;
  /** Told from the bytes, never from the name alone. */
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

/** The model a policy names for its medium, resolved for this one use. The key in `credential` stays in memory. */
export interface InputModel {
  /** The model's name, for the audit. */
  readonly name: string;
  readonly credential: CredentialRow;
  /** One question, one answer as text, by the model plugin of the credential. Throws `ModelFailure`. */
  ask(question: InputQuestion, signal: AbortSignal): Promise<string>;
}

export interface InputQuestion {
  readonly system?: string;
  readonly text: string;
  readonly parts?: readonly ModelPart[];
}

/** What a handler is asked to read. Files and recordings come one by one, images of one question together. */
export interface InputRequest {
  /** Of the policy: `extract`, `transcribe`, `tool`, `prepass`. */
  readonly mode: string;
  readonly materials: readonly [Material, ...Material[]];
  /** Characters of text that are of use; a handler may stop there. */
  readonly maxChars: number;
  /** What is to be found out from images. */
  readonly question?: string;
  /** `transcriptions` or `chat_input_audio`, for recordings. */
  readonly protocol?: string;
  /** Absent for files. */
  readonly model?: InputModel;
}

/** What reading came to. `says` is for people and models, one sentence without secrets. */
export type InputReading =
  | { readonly is: 'text'; readonly text: string; readonly parser?: string; readonly pages?: number }
  /** It was read, and there is no text in it: a scan, silence. */
  | { readonly is: 'nothing'; readonly says: string; readonly parser?: string; readonly pages?: number }
  /** It could not be read: damaged, encrypted, too large, a kind that is not known, an endpoint that failed. */
  | { readonly is: 'failed'; readonly says: string; readonly parser?: string; readonly pages?: number };

/**
 * Turns what a user sent into text. The hub chooses, fetches, limits and audits; a handler only reads. A throw is a reading that failed: it costs
 * this one thing, never the job.
 */
export interface InputHandler {
  readonly medium: InputMedium;
  /** Media types it reads, exact or `type/*`. Two handlers that claim one type need the operator's choice (`inputs` of the configuration). */
  readonly accepts: readonly string[];
  read(request: InputRequest, signal: AbortSignal): Promise<InputReading>;
  /**
   * How long a recording plays, in seconds; undefined where it cannot be told. Asked before `read` where the policy limits the length of recordings
   * (`max_seconds`): without an answer the recording is not read.
   */
  seconds?(material: Material): Promise<number | undefined> | number | undefined;
}
