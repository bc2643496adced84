import { integer, NAME, object, text } from './words.js';

/** WIRE §12, one member per medium; what a user links to is read by these. */
export const inputSchema = object({
  image: object({
    mode: { type: 'string', enum: ['tool', 'prepass', 'inline', 'off'], default: 'tool' },
    credential: NAME,
    model: text(128),
    max_calls: integer(1, 30, 6),
  }),
  audio: object({
    mode: { type: 'string', enum: ['transcribe', 'inline', 'off'], default: 'transcribe' },
    credential: NAME,
    model: text(128),
    protocol: { type: 'string', enum: ['transcriptions', 'chat_input_audio'], default: 'transcriptions' },
    max_bytes: integer(1_024, 52_428_800, 12_582_912),
    max_seconds: integer(1, 600),
  }),
  file: object({
    mode: { type: 'string', enum: ['extract', 'summarize', 'inline', 'off'], default: 'extract' },
    credential: NAME,
    model: text(128),
    max_bytes: integer(1_024, 104_857_600, 20_971_520),
    max_chars: integer(1_000, 200_000, 24_000),
  }),
});

interface NamedModel {
  readonly credential?: string;
  readonly model?: string;
}

export interface InputResource {
  readonly image?: NamedModel & { readonly mode: 'tool' | 'prepass' | 'inline' | 'off'; readonly max_calls: number };
  readonly audio?: NamedModel & {
    readonly mode: 'transcribe' | 'inline' | 'off';
    readonly protocol: 'transcriptions' | 'chat_input_audio';
    readonly max_bytes: number;
    readonly max_seconds?: number;
  };
  readonly file?: NamedModel & {
    readonly mode: 'extract' | 'summarize' | 'inline' | 'off';
    readonly max_bytes: number;
    readonly max_chars: number;
  };
}
