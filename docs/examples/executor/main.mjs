// node main.mjs: an executor for one target. BAILING_URL, BAILING_EXECUTOR_TOKEN, BAILING_TARGET, BAILING_EXECUTOR_ID from the environment.
import os from 'node:os';
import { connect } from './hub.mjs';
import { runExecutor } from './executor.mjs';
import { lineBrain } from './line-brain.mjs';

const {
  BAILING_URL: url = 'http://127.0.0.1:18900',
  BAILING_EXECUTOR_TOKEN: token = '',
  BAILING_TARGET: target = 'my-agent',
  // The same after a restart: the hub tells of an id that comes no more. Several on one machine get one each.
  BAILING_EXECUTOR_ID: id = os.hostname(),
} = process.env;
const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stopping.abort());

try {
  await runExecutor({
    hub: connect({ url, token }),
    id,
    targets: [target],
    work: lineBrain,
    signal: stopping.signal,
    log: (text) => console.log(text),
  });
} catch (error) {
  console.error(`The hub refuses this executor: ${error.message}`);
  process.exitCode = 1;
}
