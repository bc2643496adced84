import type { OpenedCredential } from '@bailing/engine';
import type { RouteSettings } from '@bailing/engine/ports';
import type { Contributed } from '@bailing/kernel';
import { BailingError, type CredentialRow, type Log, type ModelKind, type ModelProvider } from '@bailing/plugin-api';
import type { CredentialResource } from '@bailing/resources';
import { openKind } from './open-kind.js';
import type { Prepared } from './live/live-config.js';

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

type Named = ReadonlyMap<string, { readonly made: string; readonly opened: OpenedCredential }>;

/** Opens every enabled credential once per row; a route's model is then a map access. */
export class Brains {
  private named: Named = new Map();
  private readonly fallback: OpenedCredential;

  /** @throws BailingError where the model of the environment cannot be opened */
  constructor(
    private readonly kinds: readonly Contributed<ModelKind>[],
    env: Env,
    private readonly log?: Log,
  ) {
    this.fallback = this.open(defaultCredential(env));
  }

  /** Opens what is new; nothing is used before it is swapped in. @throws BailingError where no plugin knows a kind */
  prepare(credentials: readonly CredentialResource[]): Prepared {
    const next = new Map(credentials.filter(({ enabled }) => enabled).map((row) => [row.name, this.kept(row.name, rowOf(row))]));
    return { swap: () => (this.named = next), discard: () => undefined };
  }

  /** An enabled credential by name, the route's own where no name is given; undefined where there is none. */
  readonly credential = (route: RouteSettings, name = route.target_config.credential): OpenedCredential | undefined =>
    name === undefined ? this.fallback : this.named.get(name)?.opened;

  /** An enabled credential by its name alone. */
  readonly byName = (name: string): OpenedCredential | undefined => this.named.get(name)?.opened;

  /** The model of a route. @throws BailingError BAILING_CONFIG_INVALID where its credential is missing */
  readonly model = (route: RouteSettings): ModelProvider => {
    const found = this.credential(route);
    if (found) return found.provider;
    throw new BailingError('BAILING_CONFIG_INVALID', {
      at: `routes ${route.route_key}`,
      detail: `There is no enabled credential ${JSON.stringify(route.target_config.credential)}.`,
    });
  };

  private kept(name: string, row: CredentialRow): { readonly made: string; readonly opened: OpenedCredential } {
    const made = JSON.stringify(row);
    const before = this.named.get(name);
    return before?.made === made ? before : { made, opened: this.open(row) };
  }

  private open(row: CredentialRow): OpenedCredential {
    const kind = this.kinds.find(({ name }) => name === row.provider);
    if (!kind)
      throw new BailingError('BAILING_CONFIG_INVALID', {
        at: `credentials ${row.name}, provider`,
        detail: `No plugin brings the model kind ${JSON.stringify(row.provider)}.`,
      });
    const what = {
      member: 'credentials',
      name: row.name,
      kind: row.provider,
      field: 'provider',
      methods: ['answer'],
      secrets: [row.api_key],
    } as const;
    return { row, provider: openKind(what, () => kind.value.open(row), this.log) };
  }
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
