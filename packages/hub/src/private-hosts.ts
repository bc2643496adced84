import { createHostRules, type HostRules } from '@bailing/outbound';
import type { BailingConfig } from '@bailing/resources';

type Env = Readonly<Record<string, string | undefined>>;

type Channels = readonly Readonly<Record<string, unknown>>[];

/**
 * Hosts an operator wrote into the configuration may be private; what documents name may not. `channels` are their settings, with the defaults of their
 * kinds where those are known.
 */
export function privateHosts(
  { hub, tool_providers: providers, credentials, routes, alert_rules: alerts }: BailingConfig,
  env: Env,
  channels: Channels,
): readonly string[] {
  const urls = [
    ...providers.flatMap(({ base_url, spec_url }) => [base_url, spec_url]),
    ...credentials.map(({ base_url }) => base_url),
    ...routes.flatMap(({ tools, delivery, default_callback_url }) => [tools?.approval?.url, delivery?.url, default_callback_url]),
    ...channels.flatMap((config) => Object.values(config).filter((value) => typeof value === 'string')),
    ...alerts.map(({ url }) => url),
    env.BAILING_LLM_BASE_URL,
  ];
  const hosts = urls.flatMap((url) => (url !== undefined && /^https?:/i.test(url) && URL.canParse(url) ? [hostAndPort(new URL(url))] : []));
  const mail = channels.flatMap(({ host, port }) =>
    typeof host === 'string' && typeof port === 'number' ? [`${host}:${String(port)}`] : [],
  );
  return [...new Set([...hub.allow_private_hosts, ...hosts, ...mail])];
}

function hostAndPort(url: URL): string {
  return `${url.hostname}:${url.port || (url.protocol === 'https:' ? '443' : '80')}`;
}

/** Host rules that follow the configuration: whoever holds them sees what is in force now. */
export class LiveHosts implements HostRules {
  private rules: HostRules = createHostRules();

  constructor(private readonly env: Env) {}

  /** @throws BailingError BAILING_CONFIG_INVALID where an entry of hub.allow_private_hosts is no host */
  follow(config: BailingConfig, channels: Channels = config.channels.map((row) => row.config)): void {
    this.rules = createHostRules({ allowPrivateHosts: privateHosts(config, this.env, channels) });
  }

  mayBePrivate(hostname: string, port: number): boolean {
    return this.rules.mayBePrivate(hostname, port);
  }

  admits(address: string, hostname: string, port: number): boolean {
    return this.rules.admits(address, hostname, port);
  }

  checkUrl(url: URL): void {
    this.rules.checkUrl(url);
  }
}
