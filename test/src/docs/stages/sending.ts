import { startMailroom, CHANNEL_SECRET } from '../../support/mailroom.js';
import { CLIENT_TOKEN } from '../../support/world.js';
import { besideHub, type Stage } from '../stage.js';

/** A channel to a receiver that takes everything, and a client that may use it. */
export async function messages(): Promise<Stage> {
  const mailroom = await startMailroom();
  const token = `${CLIENT_TOKEN}-sends`;
  const stage = await besideHub({
    hub: `  allow_private_hosts: ['${new URL(mailroom.url).host}']`,
    clients: `  - { app_id: notifier, token: ${token}, allowed_routes: [orders], allowed_channels: [ops] }`,
    more: `channels:\n  - { name: ops, kind: webhook, config: { url: '${mailroom.url}/in', secret: ${CHANNEL_SECRET} } }`,
  });
  const close = async () => {
    await stage.close();
    await mailroom.close();
  };
  return { ...stage, env: { ...stage.env, TOKEN: token, OPS_CHANNEL_SECRET: CHANNEL_SECRET }, close };
}
