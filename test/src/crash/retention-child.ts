import { openStore } from '@bailing/store';

/**
 * A process that does one round of retention and kills itself where it is told: `node retention-child.js <url> <failpoint> <nth> <before>`. Everything
 * up to the time `before` is old.
 */
const [url = '', place = '', nth = '1', before = '0'] = process.argv.slice(2);
let left = Number(nth);

const store = await openStore({
  url,
  replica: 'child',
  lanes: 1,
  failpoint: (name) => {
    if (name === place && (left -= 1) === 0) process.kill(process.pid, 'SIGKILL');
  },
});
const old = Number(before);
const { retention } = store;
for (const steps of [retention.journal(old), retention.failures(old), retention.sent(old), retention.ledger(old)])
  for await (const step of steps) void step;
await store.close();
