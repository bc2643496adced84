import type { ContextBlock, ContextProvider, ContextRequest, Log } from '@bailing/plugin-api';
import type { Named } from '../calls/index.js';

export type Contexts = readonly Named<ContextProvider>[];

/** What one provider gave, or why it gave nothing. */
export interface Provided {
  readonly by: string;
  readonly blocks: readonly ContextBlock[];
  readonly error?: string;
}

export interface AskContextsDeps {
  readonly contexts: Contexts;
  readonly log: Log;
  /** One provider's time. */
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 5_000;
const BLOCKS = 8;
const BLOCK_CHARS = 20_000;
/** Of all providers together. */
const ALL_CHARS = 60_000;

/** Asks every provider at once and keeps their order. One that fails or is late costs its own blocks only. Never throws. */
export async function askContexts(request: ContextRequest, signal: AbortSignal, deps: AskContextsDeps): Promise<readonly Provided[]> {
  const given = await Promise.all(deps.contexts.map((one) => ask(one, request, signal, deps)));
  let left = ALL_CHARS;
  return given.map((one) => {
    const blocks: ContextBlock[] = [];
    for (const block of one.blocks) {
      if (left <= 0) break;
      const text = cut(block.text, Math.min(BLOCK_CHARS, left));
      left -= text.length;
      blocks.push({ label: block.label, text });
    }
    return { ...one, blocks };
  });
}

async function ask(
  { plugin, name, value }: Named<ContextProvider>,
  request: ContextRequest,
  signal: AbortSignal,
  { log, timeoutMs = TIMEOUT_MS }: AskContextsDeps,
): Promise<Provided> {
  const by = `${plugin}/${name}`;
  const late = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const expired = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => {
      resolve('late');
      late.abort();
    }, timeoutMs);
  });
  try {
    // Begun inside a promise, so that a provider that throws at once is one that failed.
    const asked = Promise.resolve().then(() => value.blocks(request, AbortSignal.any([signal, late.signal])));
    const answer = await Promise.race([asked, expired]);
    if (answer === 'late') return { by, blocks: [], error: `took longer than ${String(timeoutMs)} ms` };
    return checked(by, answer);
  } catch (error) {
    // The text of a plugin's error may hold anything: it goes to the log, which redacts, and to no audit line.
    log.warn('a context provider failed', { provider: by, job: request.job.id, error: String(error) });
    return { by, blocks: [], error: 'threw' };
  } finally {
    clearTimeout(timer);
  }
}

/** Authors without a compiler: what is not a block is left out, and said. */
function checked(by: string, answer: unknown): Provided {
  if (!Array.isArray(answer)) return { by, blocks: [], error: 'answered no list of blocks' };
  const blocks = answer.filter(isBlock).filter(({ text }) => text.trim() !== '');
  const strange = answer.length - answer.filter(isBlock).length;
  return { by, blocks: blocks.slice(0, BLOCKS), ...(strange > 0 && { error: `answered ${String(strange)} things that are no blocks` }) };
}

function isBlock(value: unknown): value is ContextBlock {
  const { label, text } = (value ?? {}) as { label?: unknown; text?: unknown };
  return typeof label === 'string' && typeof text === 'string';
}

const CUT = '\n[cut]';

function cut(text: string, chars: number): string {
  return text.length <= chars ? text : text.slice(0, Math.max(0, chars - CUT.length)).toWellFormed() + CUT;
}
