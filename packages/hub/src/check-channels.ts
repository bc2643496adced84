import { points, type ChannelKind, type Log, type Plugin } from '@bailing/plugin-api';
import type { ChannelResource, SettingsSchema } from '@bailing/resources';
import { createSchemaCheck } from '@bailing/schema';
import { readRow, schemaOf, type ChannelKinds, type ChannelProblem } from './channel-rows.js';

const silent: Log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

/** A kind that is named, and whose schema only a start can tell. */
const UNTOLD: ChannelKind = { row: { type: 'object' }, open: () => ({ prepare: () => Promise.resolve([]), deliver: never }) };

/** What is wrong with channel rows, found without a socket or a database: kinds are asked for their schema, nothing is opened. */
export function channelProblems(rows: readonly ChannelResource[], plugins: readonly Plugin[]): readonly ChannelProblem[] {
  const kinds = kindsOf(plugins);
  const schema = createSchemaCheck();
  return rows.flatMap((row) => readRow(row, kinds, schema).problems);
}

/** How the settings of each kind look that these plugins bring. A kind whose schema only a start can tell is unknown here. */
export function channelSettings(plugins: readonly Plugin[]): SettingsSchema {
  const kinds = kindsOf(plugins).filter(({ value }) => value !== UNTOLD);
  return (member, kind) => (member === 'channels' ? schemaOf(kind, kinds) : undefined);
}

function kindsOf(plugins: readonly Plugin[]): ChannelKinds {
  return plugins.flatMap(({ contributions }) =>
    contributions.filter(({ point }) => point.id === points.channel.id).map(({ name, make }) => ({ name, value: kindOf(make) })),
  );
}

/** A kind that needs its services or its setup to be made is judged when the hub starts. */
function kindOf(make: Plugin['contributions'][number]['make']): ChannelKind {
  try {
    return make({ config: {}, services: {}, own: undefined, log: silent }) as ChannelKind;
  } catch {
    return UNTOLD;
  }
}

function never(): Promise<never> {
  return Promise.reject(new TypeError('a check sends nothing'));
}
