import type { InputModel, InputReading, Material } from '@bailing/plugin-api';
import { ahead, type Turn } from './ahead.js';
import { cutText, unfenced } from './fence.js';
import { fetchMaterial, readMaterial, STEP_MS } from './fetch-material.js';
import { auditUrl, type Link } from './links.js';
import { textModel } from './models.js';
import type { Phrases } from './phrases.js';
import type { InputContext } from './words.js';

/** WIRE §12: what a file policy is where the route says nothing. */
const DEFAULTS = { mode: 'extract', max_bytes: 20_971_520, max_chars: 24_000 } as const;
/** However many files share the budget, each gets this much. */
const FLOOR_CHARS = 1_000;
/** What a summarising model is given of one file. */
const SUMMARY_SOURCE_CHARS = 200_000;

export interface FilesRead {
  /** Text for the user's message; empty where there is none. */
  readonly block: string;
  readonly duties: readonly string[];
  readonly mode: 'extract' | 'summarize' | 'inline' | 'off';
}

interface Task {
  readonly links: readonly Link[];
  readonly maxBytes: number;
  readonly maxChars: number;
  readonly mode: 'extract' | 'summarize';
  readonly model?: InputModel;
  readonly phrases: Phrases;
}

/** The files a user linked to, by the route's policy: their texts, fenced; what could not be read is named as such (WIRE §12). */
export async function readFiles(links: readonly Link[], phrases: Phrases, context: InputContext): Promise<FilesRead> {
  const policy = { ...DEFAULTS, ...context.route.target_config.input?.file };
  if (links.length === 0 || policy.mode === 'inline') return { block: '', duties: [], mode: policy.mode };
  if (policy.mode === 'off') return { block: '', duties: [phrases.fileOff], mode: 'off' };
  const model = policy.mode === 'summarize' ? textModel(context.route, policy, context.deps) : undefined;
  const mode = model ? 'summarize' : 'extract';
  if (policy.mode === 'summarize' && !model) {
    context.note('file_input_degraded', {
      requested: 'summarize',
      reason: 'file_model_unresolved',
      credential: policy.credential ?? context.route.target_config.credential ?? '',
    });
  }
  const maxChars = Math.max(FLOOR_CHARS, Math.floor(policy.max_chars / links.length));
  const task: Task = { links, maxBytes: policy.max_bytes, maxChars, mode, ...(model && { model }), phrases };
  const texts: string[] = [];
  // Fetched side by side, read one after the other: the largest of them is in memory and a little of the next, not all.
  for await (const text of ahead(links, (link, index, turn) => readFile(link, index, task, context, turn))) texts.push(text);
  return { block: texts.join('\n\n'), duties: [phrases.fileData], mode };
}

async function readFile(link: Link, index: number, task: Task, context: InputContext, turn: Turn): Promise<string> {
  const { phrases, mode } = task;
  const audited = { mode, index, name: link.name, url: auditUrl(link.url) };
  const fetched = await fetchMaterial(link, index, { medium: 'file', maxBytes: task.maxBytes }, context, turn);
  await turn.mine(context.signal);
  if (fetched.is === 'unread') {
    const { says, error, bytes = 0, mediaType = '' } = fetched;
    context.note('file_input', { ...audited, ok: false, mime: mediaType, bytes, parser: 'unsupported', error });
    return phrases.unread(index + 1, link.name, `${says}.`);
  }
  const { material, handler } = fetched;
  const maxChars = mode === 'summarize' ? SUMMARY_SOURCE_CHARS : task.maxChars;
  const reading = await readMaterial(handler, { mode: 'extract', materials: [material], maxChars }, context);
  const told = { ...audited, mime: material.mediaType, bytes: material.bytes.length, ...factsOf(reading) };
  if (reading.is !== 'text') {
    context.note('file_input', { ...told, ok: false, error: reading.says.slice(0, 200) });
    return phrases.unread(index + 1, link.name, reading.says);
  }
  const short = task.model ? await summarise(reading.text, task.model, phrases, context) : { text: reading.text };
  context.note('file_input', { ...told, ok: true, ...(short.error !== undefined && { error: short.error }) });
  return textBlock(material, reading, short, task);
}

function factsOf({ parser, pages }: InputReading) {
  return { parser: parser ?? 'text', ...(pages !== undefined && { pages }) };
}

/** A summary that fails leaves the text itself: the file was read. */
async function summarise(
  text: string,
  model: InputModel,
  phrases: Phrases,
  context: InputContext,
): Promise<{ readonly text: string; readonly error?: string; readonly summary?: true }> {
  const late = AbortSignal.timeout(STEP_MS);
  try {
    const question = { system: phrases.summarise, text: unfenced(cutText(text, SUMMARY_SOURCE_CHARS).text) };
    const summary = await model.ask(question, AbortSignal.any([context.signal, late]));
    return summary === '' ? { text, error: 'summary: empty answer' } : { text: summary, summary: true };
  } catch (error) {
    context.signal.throwIfAborted();
    return { text, error: `summary: ${error instanceof Error && error.name === 'ModelFailure' ? error.message.slice(0, 180) : 'failed'}` };
  }
}

function textBlock(
  material: Material,
  reading: Extract<InputReading, { is: 'text' }>,
  short: { readonly text: string; readonly summary?: true },
  { phrases, maxChars }: Task,
): string {
  const { text, cut } = cutText(unfenced(short.text), maxChars);
  const facts = [
    material.mediaType,
    ...(reading.pages === undefined ? [] : [phrases.pages(reading.pages)]),
    ...(short.summary ? [phrases.summary] : []),
  ].join(', ');
  const heading = phrases.file(material.index + 1, material.name, facts);
  return `${heading}\n<attached-file>\n${text}\n</attached-file>${cut ? `\n${phrases.cut(maxChars)}` : ''}`;
}
