import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { startOrdersService, type OrdersService } from '@bailing/example-orders-service';
import { createHub, type Hub } from '@bailing/hub';
import { ALWAYS, BUILTINS } from '../builtins.js';
import { loadConfig } from '../load-config.js';
import { demoConfig, type DemoSettings } from './config-text.js';

export interface Stage {
  readonly url: string;
  readonly serverToken: string;
  readonly clientToken: string;
  readonly configFile: string;
  readonly service: OrdersService;
  close(): Promise<void>;
}

/** A business service and a hub, on free loopback ports, with files in a folder of their own that goes when they do. */
export async function setStage(configOf: (settings: DemoSettings) => string = demoConfig): Promise<Stage> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bailing-demo-'));
  const secret = randomBytes(24).toString('hex');
  const serverToken = randomBytes(24).toString('hex');
  const clientToken = randomBytes(16).toString('hex');
  let service: OrdersService | undefined;
  let hub: Hub | undefined;
  const close = async () => {
    await hub?.stop();
    await service?.close();
    fs.rmSync(folder, { recursive: true, force: true });
  };
  try {
    service = await startOrdersService({ secret, file: path.join(folder, 'orders.db') });
    const configFile = path.join(folder, 'bailing.yaml');
    fs.writeFileSync(configFile, configOf({ serviceUrl: service.url, secret, serverToken, clientToken }), { mode: 0o600 });
    const { config, cwd } = loadConfig(configFile, {});
    const database = `sqlite:${path.join(folder, 'hub.db')}`;
    hub = createHub({ config: { ...config, hub: { ...config.hub, database } }, cwd, plugins: ALWAYS, builtins: BUILTINS });
    const { url } = await hub.start();
    return { url, serverToken, clientToken, configFile, service, close };
  } catch (error) {
    await close();
    throw error;
  }
}
