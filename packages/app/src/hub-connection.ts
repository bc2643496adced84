import { HubClient } from './hub-client.js';
import { loadConfig } from './load-config.js';

export interface ConnectionOptions {
  readonly config: string;
  readonly url?: string;
  readonly token?: string;
}

/** A running hub as its administrator: by address and token (options or BAILING_URL and BAILING_TOKEN), else as the configuration says. */
export function connect(options: ConnectionOptions): HubClient {
  const url = options.url ?? process.env.BAILING_URL;
  const token = options.token ?? process.env.BAILING_TOKEN;
  if (url !== undefined && token !== undefined) return new HubClient(url.replace(/\/+$/, ''), token);
  const { hub } = loadConfig(options.config).config;
  return new HubClient(url?.replace(/\/+$/, '') ?? `http://${hub.host}:${String(hub.port)}`, token ?? hub.token ?? '');
}
