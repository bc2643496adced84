import { CommandFailure } from './out.js';

/** Repeated `name=value` options as an object. @throws CommandFailure naming the option */
export function pairsOf(option: string, pairs: readonly string[] = []): Record<string, string> {
  const read: Record<string, string> = {};
  for (const pair of pairs) {
    const cut = pair.indexOf('=');
    if (cut < 1) throw new CommandFailure(`${option} takes name=value, not ${JSON.stringify(pair)}.`);
    read[pair.slice(0, cut)] = pair.slice(cut + 1);
  }
  return read;
}
