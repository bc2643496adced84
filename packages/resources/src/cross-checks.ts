import type { BailingConfig } from './schemas/config.js';
import { CREDENTIALED, hasCredentials } from './text/address.js';

export interface Finding {
  readonly path: string;
  readonly says: string;
}

/** What no schema of one object can see: names used twice and references that lead nowhere. */
export function crossChecks(config: BailingConfig): readonly Finding[] {
  return [
    ...timeZone(config.hub.display_tz),
    ...twice('clients', config.clients, 'app_id'),
    ...twice('clients', config.clients, 'token'),
    ...twice('executor_tokens', config.executor_tokens, 'name'),
    ...twice('executor_tokens', config.executor_tokens, 'token'),
    ...twice('targets', config.targets, 'name'),
    ...config.targets.flatMap(({ name }, index) =>
      name === 'llm' || name === 'channel-send' ? [{ path: `targets[${String(index)}].name`, says: `${name} is built in.` }] : [],
    ),
    ...sharedTokens(config),
    ...twice('credentials', config.credentials, 'name'),
    ...twice('channels', config.channels, 'name'),
    ...twice('tool_providers', config.tool_providers, 'name'),
    ...twice('routes', config.routes, 'route_key'),
    ...twice('alert_rules', config.alert_rules, 'id'),
    ...config.alert_rules.flatMap((rule, index) => alertFindings(rule, `alert_rules[${String(index)}]`, config)),
    ...twice('admins', config.admins, 'username'),
    ...config.admins.flatMap((admin, index) => adminFindings(admin, `admins[${String(index)}]`)),
    ...config.routes.flatMap((route, index) => routeFindings(route, `routes[${String(index)}]`, config)),
    ...config.tool_providers.flatMap((provider, index) => providerFindings(provider, `tool_providers[${String(index)}]`)),
    ...config.alert_rules.flatMap((one, index) => credentialed(one, ['url'], `alert_rules[${String(index)}]`)),
    ...config.credentials.flatMap((one, index) => credentialed(one, ['base_url'], `credentials[${String(index)}]`)),
    ...config.clients.flatMap((client, index) => clientFindings(client, `clients[${String(index)}]`, config)),
  ];
}

/** Approval kinds that post somewhere. */
const WEBHOOKS: ReadonlySet<string> = new Set(['business_webhook', 'approval_webhook', 'webhook']);

function timeZone(name: string): Finding[] {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return [];
  } catch {
    return [{ path: 'hub.display_tz', says: 'There is no such time zone; use a name such as Asia/Shanghai or UTC.' }];
  }
}

function twice<K extends string>(list: string, items: readonly Readonly<Record<K, string>>[], key: K): Finding[] {
  const seen = new Set<string>();
  return items.flatMap((item, index) => {
    if (!seen.has(item[key])) {
      seen.add(item[key]);
      return [];
    }
    // A token is a secret: say where it stands again, not what it is.
    const what = key === 'token' ? 'This token' : JSON.stringify(item[key]);
    return [{ path: `${list}[${String(index)}].${key}`, says: `${what} is used by an earlier entry already.` }];
  });
}

/** One value never serves two kinds of callers. */
function sharedTokens(config: BailingConfig): Finding[] {
  const clients = new Set(config.clients.map(({ token }) => token));
  const shared = config.executor_tokens.flatMap(({ token }, index) =>
    clients.has(token) ? [{ path: `executor_tokens[${String(index)}].token`, says: 'This token is a client token too.' }] : [],
  );
  const { token, metrics } = config.hub;
  const all = [
    ...config.clients.map((one, index) => [`clients[${String(index)}].token`, one.token] as const),
    ...config.executor_tokens.map((one, index) => [`executor_tokens[${String(index)}].token`, one.token] as const),
  ];
  return [
    ...shared,
    ...all.flatMap(([path, one]) => (one === token ? [{ path, says: 'This token is the server token too.' }] : [])),
    ...all.flatMap(([path, one]) => (one === metrics?.token ? [{ path, says: 'This token is the metrics token too.' }] : [])),
  ];
}

function routeFindings(route: BailingConfig['routes'][number], at: string, config: BailingConfig): Finding[] {
  const found = [
    ...credentialed(route, ['default_callback_url'], at),
    ...credentialed(route.tools?.approval ?? {}, ['url'], `${at}.tools.approval`),
    ...credentialed(route.delivery ?? {}, ['url'], `${at}.delivery`),
  ];
  if (route.route_key === 'auto')
    found.push({ path: `${at}.route_key`, says: '`auto` is how clients ask for automatic routing; use another key.' });
  const { credential } = route.target_config;
  if (credential !== undefined && !config.credentials.some(({ name, enabled }) => name === credential && enabled)) {
    found.push({ path: `${at}.target_config.credential`, says: `There is no enabled credential ${JSON.stringify(credential)}.` });
  }
  found.push(...inputFindings(route, `${at}.target_config.input`, config));
  if (route.target !== 'llm' && !config.targets.some(({ name }) => name === route.target)) {
    found.push({ path: `${at}.target`, says: `There is no target ${JSON.stringify(route.target)}.` });
  }
  const seen = new Set<string>();
  route.tools?.sources.forEach(({ provider }, index) => {
    const path = `${at}.tools.sources[${String(index)}].provider`;
    if (!config.tool_providers.some(({ name }) => name === provider))
      found.push({ path, says: `There is no tool provider ${JSON.stringify(provider)}.` });
    if (seen.has(provider)) found.push({ path, says: `The provider ${JSON.stringify(provider)} is attached to this route already.` });
    seen.add(provider);
  });
  const channels = route.tools?.builtin?.send_message?.channels ?? [];
  found.push(...unknownChannels(channels, `${at}.tools.builtin.send_message.channels`, config));
  if (route.tools && route.tools.sources.length === 0 && channels.length === 0)
    found.push({ path: `${at}.tools`, says: 'It grants nothing: name sources, or channels under builtin.send_message.' });
  const { approval } = route.tools ?? {};
  if (approval && WEBHOOKS.has(approval.type) && approval.url === undefined)
    found.push({ path: `${at}.tools.approval`, says: `${approval.type} needs url.` });
  found.push(...deliveryFindings(route.delivery, `${at}.delivery`, config));
  if (route.delivery?.type === 'webhook' && route.delivery.url === undefined)
    found.push({ path: `${at}.delivery`, says: 'type: webhook needs url.' });
  if (route.session_policy === 'per_key' && route.session_key_field === undefined)
    found.push({ path: at, says: 'session_policy: per_key needs session_key_field.' });
  if (route.memory && route.session_policy !== 'per_key' && route.session_policy !== 'fixed')
    found.push({ path: `${at}.memory`, says: 'It only has a meaning with session_policy: per_key or fixed.' });
  if (route.memory?.summary_enabled === true && route.target !== 'llm')
    found.push({ path: `${at}.memory.summary_enabled`, says: 'The model that keeps the notes is that of target: llm.' });
  if (route.session_policy !== 'fixed' && route.session_fixed_id !== undefined)
    found.push({ path: `${at}.session_fixed_id`, says: 'It only has a meaning with session_policy: fixed.' });
  return found;
}

function deliveryFindings(delivery: BailingConfig['routes'][number]['delivery'], at: string, config: BailingConfig): Finding[] {
  if (!delivery) return [];
  const { type, channel, to, to_field: field, url } = delivery;
  const strayUrl =
    url === undefined || type === 'webhook' || type === 'none'
      ? []
      : [{ path: `${at}.url`, says: 'It only has a meaning with type: webhook.' }];
  if (type === 'none' || type === 'webhook') {
    const stray = channel !== undefined || to !== undefined || field !== undefined;
    return stray ? [{ path: at, says: 'channel, to and to_field say to whom a channel or an executor delivers.' }] : strayUrl;
  }
  const nobody = to === undefined && field === undefined ? [{ path: at, says: `type: ${type} needs to or to_field.` }] : [];
  if (type === 'channel') {
    const known =
      channel === undefined ? [{ path: at, says: 'type: channel needs channel.' }] : unknownChannels([channel], `${at}.channel`, config);
    return [...known, ...nobody, ...strayUrl];
  }
  const target = `${type}-notify`;
  const there = config.targets.some(({ name }) => name === target);
  const missing = there
    ? []
    : [{ path: `${at}.type`, says: `There is no target ${JSON.stringify(target)}, whose executors would deliver.` }];
  const strayChannel = channel === undefined ? [] : [{ path: `${at}.channel`, says: 'It only has a meaning with type: channel.' }];
  return [...missing, ...nobody, ...strayUrl, ...strayChannel];
}

/** A rule tells one place: a webhook, or people through a channel. */
function alertFindings({ url, channel, recipients }: BailingConfig['alert_rules'][number], at: string, config: BailingConfig): Finding[] {
  if (url === undefined && channel === undefined) return [{ path: at, says: 'It tells nobody: give url, or channel with recipients.' }];
  if (url !== undefined && channel !== undefined) return [{ path: at, says: 'Give url or channel, not both; two rules tell both.' }];
  if (channel === undefined)
    return recipients === undefined ? [] : [{ path: `${at}.recipients`, says: 'It only has a meaning with channel.' }];
  const nobody = recipients === undefined ? [{ path: at, says: 'channel needs recipients.' }] : [];
  const known = config.channels.some(({ name }) => name === channel);
  return known ? nobody : [...nobody, { path: `${at}.channel`, says: `There is no channel ${JSON.stringify(channel)}.` }];
}

function unknownChannels(names: readonly string[], at: string, config: BailingConfig): Finding[] {
  return names.flatMap((name, index) => {
    if (name === '*' || config.channels.some((channel) => channel.name === name)) return [];
    return [{ path: `${at}[${String(index)}]`, says: `There is no channel ${JSON.stringify(name)}.` }];
  });
}

/** A name that leads nowhere is a mistake; a credential that is switched off is a policy that degrades while it is. */
function inputFindings({ target_config: { input } }: BailingConfig['routes'][number], at: string, config: BailingConfig): Finding[] {
  return Object.entries(input ?? {}).flatMap(([medium, { credential }]: [string, { readonly credential?: string }]) => {
    if (credential === undefined || config.credentials.some(({ name }) => name === credential)) return [];
    return [{ path: `${at}.${medium}.credential`, says: `There is no credential ${JSON.stringify(credential)}.` }];
  });
}

function providerFindings(provider: BailingConfig['tool_providers'][number], at: string): Finding[] {
  const own =
    provider.name === 'builtin' ? [{ path: `${at}.name`, says: 'builtin is how the hub names its own tools; use another name.' }] : [];
  const needsUrl = provider.spec_source === 'url' && provider.spec_url === undefined;
  const needsText = provider.spec_source === 'inline' && provider.spec_json === undefined;
  const strayUrl = provider.spec_source === 'inline' && provider.spec_url !== undefined;
  const strayRefresh = provider.spec_source === 'inline' && provider.auto_refresh_min > 0;
  return [
    ...own,
    ...credentialed(provider, ['base_url', 'spec_url'], at),
    ...(strayRefresh ? [{ path: `${at}.auto_refresh_min`, says: 'It only has a meaning with spec_source: url.' }] : []),
    ...(needsUrl ? [{ path: at, says: 'spec_source: url needs spec_url.' }] : []),
    ...(needsText ? [{ path: at, says: 'spec_source: inline needs spec_json or spec_file.' }] : []),
    ...(strayUrl ? [{ path: `${at}.spec_url`, says: 'It only has a meaning with spec_source: url.' }] : []),
  ];
}

function credentialed(one: object, fields: readonly string[], at: string): Finding[] {
  return fields.flatMap((field) => {
    const value = (one as Readonly<Record<string, unknown>>)[field];
    return typeof value === 'string' && hasCredentials(value) ? [{ path: `${at}.${field}`, says: CREDENTIALED }] : [];
  });
}

function clientFindings(client: BailingConfig['clients'][number], at: string, config: BailingConfig): Finding[] {
  const channels = unknownChannels(client.allowed_channels, `${at}.allowed_channels`, config);
  const routes = client.allowed_routes.flatMap((route, index) => {
    if (route === '*' || config.routes.some(({ route_key }) => route_key === route)) return [];
    return [{ path: `${at}.allowed_routes[${String(index)}]`, says: `There is no route ${JSON.stringify(route)}.` }];
  });
  return [...channels, ...routes];
}

function adminFindings({ password, password_hash: hash }: BailingConfig['admins'][number], at: string): Finding[] {
  if (password === undefined && hash === undefined)
    return [{ path: `${at}.password`, says: 'An administrator needs password or password_hash.' }];
  return password !== undefined && hash !== undefined
    ? [{ path: `${at}.password_hash`, says: 'Give password or password_hash, not both.' }]
    : [];
}
