import { appendFileSync } from 'node:fs';
import { openStore } from '../open-store.js';
import { expectIs, heldJob, line, writeIntent } from './words.js';

/**
 * A process that does one governed write and kills itself where it is told: `node crash-child.js <url> <failpoint> <job> <effects file>`.
 * What it sends is a line in the effects file.
 */
const [url = '', place = '', job = '', effects = ''] = process.argv.slice(2);
let armed = false;

const store = await openStore({
  url,
  replica: 'child',
  failpoint: (name) => {
    if (armed && name === place) process.kill(process.pid, 'SIGKILL');
  },
});
const by = await heldJob(store, { id: job, requestId: job });
await store.jobs.note([line('warm', job)]);
armed = true;
const intent = writeIntent(by, 'a', { timeoutMs: 1 });
const { ticket } = expectIs(await store.calls.intendWrite(intent), 'go');
appendFileSync(effects, `${ticket.key ?? ''}\n`);
await store.calls.settleWrite(ticket, { ok: true, status: 201, text: 'done' }, line('tool_result', job));
armed = false;
await store.close();
