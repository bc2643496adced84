import type { Contributed } from '@bailing/kernel';
import type { ChannelKind, JsonSchema } from '@bailing/plugin-api';
import { CREDENTIALED, hasCredentials, placeText, textsOf, withoutSecrets, type ChannelResource } from '@bailing/resources';
import type { SchemaRoom } from '@bailing/schema';

/** One thing wrong with a row's `config`. */
export interface ChannelProblem {
  readonly at: string;
  readonly says: string;
}

/** Kinds by name. */
export type ChannelKinds = readonly Pick<Contributed<ChannelKind>, 'name' | 'value'>[];

/** What the settings of a kind look like; undefined where no plugin brings it. */
export function schemaOf(kind: string, kinds: ChannelKinds): JsonSchema | undefined {
  return kinds.find(({ name }) => name === kind)?.value.row;
}

/** What a kind says about one row: what is wrong, or the configuration with its defaults. */
export function readRow(
  row: ChannelResource,
  kinds: ChannelKinds,
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
  if (checked.ok)
    return { problems: loginsIn(checked.value, kind.row, at), config: checked.value as Readonly<Record<string, unknown>>, kind };
  const problems = checked.problems.map((one) => ({ at: `${at}, config${one.at === '' ? '' : `.${one.at}`}`, says: one.says }));
  return { problems, config: row.config, kind };
}

/** What of a row is no secret is shown, and no address in it holds one. */
function loginsIn(config: unknown, schema: JsonSchema, at: string): readonly ChannelProblem[] {
  return textsOf(withoutSecrets(config, schema))
    .filter(({ text }) => hasCredentials(text))
    .map(({ place }) => ({ at: `${at}, config.${placeText(place)}`, says: CREDENTIALED }));
}
