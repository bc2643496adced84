import type { OpenedCredential } from '@bailing/engine';
import type { RouteSettings } from '@bailing/engine/ports';
import type { Contributed } from '@bailing/kernel';
import { BailingError, type CredentialRow, type ModelKind, type ModelProvider } from '@bailing/plugin-api';
import type { CredentialResource } from '@bailing/resources';

type Env = Readonly<Record<string, string | undefined>>;

/**
 * The credential used where a route names none: the model of the environment when BAILING_LLM_BASE_URL, BAILING_LLM_API_KEY and
 * BAILING_LLM_MODEL are all set, else the embedded rule-based planner, which needs neither key nor network.
 */
export function defaultCredential(env: Env): CredentialRow {
  const { BAILING_LLM_BASE_URL: base_url, BAILING_LLM_API_KEY: api_key, BAILING_LLM_MODEL: default_model } = env;
  const given = [base_url, api_key, default_model].filter((value) => value !== undefined && value !== '');
  if (given.length === 0) return { name: 'rules', provider: 'rules' };
  if (given.length < 3 || !base_url || !api_key || !default_model) {
    throw new BailingError('BAILING_CONFIG_INVALID', {
      detail: 'Set BAILING_LLM_BASE_URL, BAILING_LLM_API_KEY and BAILING_LLM_MODEL together, or none of them.',
    });
  }
  return { name: 'environment', provider: 'openai', base_url, api_key, default_model };
}

/** The opened credentials of a hub. */
export interface Brains {
  /** The model of a route. @throws BailingError where its credential is missing */
  readonly model: (route: RouteSettings) => ModelProvider;
  /** An enabled credential by name, the route's own where no name is given; undefined where there is none. */
  readonly credential: (route: RouteSettings, name: string | undefined) => OpenedCredential | undefined;
}

/** Opens every enabled credential once; a route's model is then a map access. @throws BailingError where no plugin knows a kind */
export function openBrains(credentials: readonly CredentialResource[], kinds: readonly Contributed<ModelKind>[], env: Env): Brains {
  const open = (row: CredentialRow): OpenedCredential => {
    const kind = kinds.find(({ name }) => name === row.provider);
    if (!kind)
      throw new BailingError('BAILING_CONFIG_INVALID', {
        at: `credentials ${row.name}`,
        detail: `No plugin brings the model kind ${JSON.stringify(row.provider)}.`,
      });
    return { row, provider: kind.value.open(row) };
  };
  const named = new Map(credentials.filter(({ enabled }) => enabled).map((row) => [row.name, open(rowOf(row))]));
  const fallback = open(defaultCredential(env));
  const credential: Brains['credential'] = (route, name = route.target_config.credential) =>
    name === undefined ? fallback : named.get(name);
  const model: Brains['model'] = (route) => {
    const found = credential(route, undefined);
    if (!found)
      throw new BailingError('BAILING_CONFIG_INVALID', {
        at: `routes ${route.route_key}`,
        detail: `There is no enabled credential ${JSON.stringify(route.target_config.credential)}.`,
      });
    return found.provider;
  };
  return { model, credential };
}

function rowOf({ name, provider, base_url, api_key, default_model, timeout_ms }: CredentialResource): CredentialRow {
  return {
    name,
    provider,
    ...(base_url !== undefined && { base_url }),
    ...(api_key !== undefined && { api_key }),
    ...(default_model !== undefined && { default_model }),
    ...(timeout_ms !== undefined && { timeout_ms }),
  };
}
