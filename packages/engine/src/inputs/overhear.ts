import type { RouteSettings } from '../ports/index.js';
import { ahead } from './ahead.js';
import { FetchTime } from './fetch-time.js';
import { linksOf } from './links.js';
import { earOf, hear, sameEar, type Ear } from './transcripts.js';
import type { InputContext, InputDeps } from './words.js';

/** Whoever submits waits for this; what is not written down by then does not lead to a route. */
const PATIENCE_MS = 20_000;
/** Different speech models that one request may be given to. */
const MOST_EARS = 2;

/**
 * What was said in a request's recordings, by the key of each route that may know it: a recording counts for a route only as its own policy writes it down
 * (`route: auto`). Never throws.
 */
export async function overhear(text: string, routes: readonly RouteSettings[], deps: InputDeps): Promise<ReadonlyMap<string, string>> {
  const links = linksOf(text).audio;
  if (links.length === 0) return new Map();
  const ears = new Map<string, { readonly ear: Ear; readonly route: RouteSettings; readonly keys: string[] }>();
  for (const route of routes) {
    const ear = earOf(route, deps);
    if (!ear) continue;
    const same = sameEar(ear);
    const known = ears.get(same);
    if (known) known.keys.push(route.route_key);
    else if (ears.size < MOST_EARS) ears.set(same, { ear, route, keys: [route.route_key] });
  }
  const heard = await Promise.all(
    [...ears.values()].map(async ({ ear, route, keys }) => {
      const words = await inTime(wordsOf(text, ear, route, deps));
      return keys.map((key) => [key, words] as const);
    }),
  );
  return new Map(heard.flat().filter(([, words]) => words !== ''));
}

async function wordsOf(text: string, ear: Ear, route: RouteSettings, deps: InputDeps): Promise<string> {
  const { signal } = new AbortController();
  const { audio } = linksOf(text);
  const fetching = new FetchTime({ audio, file: [], image: [] });
  const context: InputContext = { route, text, deps, signal, until: deps.clock.now() + PATIENCE_MS, fetching, note: () => undefined };
  const said: string[] = [];
  for await (const one of ahead(audio, (link, index, turn) => hear(link, index, ear, context, turn))) {
    if (one.is === 'heard') said.push(one.text);
  }
  return said.join(' ');
}

/** What was heard in time, or nothing: it goes on being written down, and the job finds it. */
async function inTime(words: Promise<string>): Promise<string> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => (timer = setTimeout(() => resolve(''), PATIENCE_MS)));
  return Promise.race([words.catch(() => ''), late]).finally(() => clearTimeout(timer));
}
