import { startOrdersService } from './service.js';

/** `node dist/main.js`: settings come from ORDERS_SECRET, ORDERS_PORT, ORDERS_FILE, and for approvals ORDERS_HUB_URL and ORDERS_HUB_TOKEN (the client token). */
const secret = process.env.ORDERS_SECRET ?? '';
if (secret.length < 8) {
  process.stderr.write('Set ORDERS_SECRET to the secret shared with the hub (at least 8 characters).\n');
  process.exit(1);
}
const service = await startOrdersService({
  secret,
  port: Number(process.env.ORDERS_PORT ?? 18_901),
  file: process.env.ORDERS_FILE ?? ':memory:',
});
const { ORDERS_HUB_URL: hubUrl, ORDERS_HUB_TOKEN: clientToken } = process.env;
if (hubUrl && clientToken) service.connectHub({ url: hubUrl, clientToken });
process.stdout.write(`orders-service listens on ${service.url}\n`);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void service.close().then(() => process.exit(0)));
