import { definePlugin, defineService, points, type Plugin } from '@bailing/plugin-api';

export const gate = { judge: () => ({ is: 'allow' }) as const };

/** A plugin that writes down what happens to it. */
export function diary(id: string, lines: string[], more: { failsIn?: string; offers?: string; needs?: string } = {}): Plugin {
  const write = (what: string) => () => {
    lines.push(`${what} ${id}`);
    if (more.failsIn === what) throw new Error(`${id} breaks in ${what}`);
  };
  return definePlugin({
    id,
    needs: (more.needs === undefined ? {} : { it: defineService(more.needs) }) as Record<never, never>,
    setup: write('setup'),
    provides: (add) => [add(points.gate, id, () => (write('make')(), gate))],
    offers: (offer) => (more.offers === undefined ? [] : [offer(defineService<object>(more.offers), () => ({}))]),
    start: write('start'),
    stop: write('stop'),
  });
}
