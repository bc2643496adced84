import { formatPlace, type SchemaRoom } from '@bailing/schema';
import type { Member } from './member.js';
import { bootProblem } from './problem.js';
import { writeOnlyTexts, type Redactor } from './secrets.js';

type Env = Readonly<Record<string, string | undefined>>;
type Place = readonly (string | number)[];

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
const MAX_DEEP = 100;

/** Checks one plugin's configuration against its schema: secrets from the environment in, defaults in, frozen. */
export function configure(member: Member, schemas: SchemaRoom, env: Env, redactor: Redactor): void {
  const compiled = schemas.compileConfig(member.plugin.config);
  if (!compiled.ok) {
    for (const { at, says } of compiled.problems)
      member.fail(bootProblem('BAILING_SCHEMA_INVALID', member.source(`config schema ${at}`, says)));
    return;
  }
  const filled = fillSecrets(member, env);
  redactor.add(filled.secrets);
  if (member.failed) return;
  const checked = compiled.check(filled.value);
  if (checked.ok) {
    redactor.add(writeOnlyTexts(member.plugin.config, checked.value));
    member.config = freezeDeep(checked.value);
    return;
  }
  for (const { at, says } of checked.problems) {
    member.fail(
      bootProblem(
        'BAILING_PLUGIN_CONFIG_INVALID',
        member.source(at.startsWith('[') ? `config${at}` : at === '' ? 'config' : `config.${at}`, says),
      ),
    );
  }
}

function fillSecrets(member: Member, env: Env): { readonly value: unknown; readonly secrets: readonly string[] } {
  const secrets: string[] = [];
  const refuse = (code: 'BAILING_PLUGIN_CONFIG_INVALID' | 'BAILING_CONFIG_SECRET_MISSING', place: Place, says: string): undefined => {
    member.fail(bootProblem(code, member.source(formatPlace(['config', ...place]), says)));
    return undefined;
  };
  const fill = (value: unknown, place: Place): unknown => {
    if (place.length > MAX_DEEP) return refuse('BAILING_PLUGIN_CONFIG_INVALID', place.slice(0, 3), 'Is nested too deeply.');
    if (Array.isArray(value)) return value.map((part, index) => fill(part, [...place, index]));
    if (typeof value !== 'object' || value === null) return value;
    if (!Object.hasOwn(value, '$env'))
      return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, fill(part, [...place, name])]));
    const { $env: name, ...rest } = value as { readonly $env: unknown };
    if (typeof name !== 'string' || !NAME.test(name) || Object.keys(rest).length > 0) {
      return refuse(
        'BAILING_PLUGIN_CONFIG_INVALID',
        place,
        'A secret is written { $env: NAME } with the name of one environment variable.',
      );
    }
    const secret = env[name];
    if (secret === undefined || secret === '') {
      return refuse('BAILING_CONFIG_SECRET_MISSING', place, `The environment variable ${name} is not set.`);
    }
    secrets.push(secret);
    return secret;
  };
  return { value: fill(member.given ?? {}, []), secrets };
}

function freezeDeep(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const part of Object.values(value)) freezeDeep(part);
  return Object.freeze(value);
}
