import { playActs } from '../demo/acts.js';
import { setStage, type Stage } from '../demo/stage.js';
import { bold, print } from '../out.js';

/** Three governed jobs against a real business service: no key, no network, nothing left behind. */
export async function demo(options: { once?: boolean }): Promise<void> {
  print('Starting the orders service and a hub on free loopback ports …');
  const stage = await setStage();
  const stop = stopSignal();
  try {
    const { jobs, calls } = await playActs(stage);
    if (options.once === true) {
      print(`\nDEMO OK jobs=${String(jobs)} calls=${String(calls)}`);
      return;
    }
    print(next(stage));
    await stop;
  } finally {
    await stage.close();
  }
}

function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => resolve());
  });
}

function next({ url, clientToken, serverToken, configFile, service }: Stage): string {
  return `
${bold('Both stay up until you press Ctrl-C. Try:')}
  The refunds of the business, as its own people see them:
    ${service.url}/
  A job of your own, as the back office would trigger it (u-ben may only read):
    curl -s ${url}/run -H 'authorization: Bearer ${clientToken}' -H 'content-type: application/json' \\
      -d '{"request_id":"try-1","route":"orders","input":"Create a refund request of 20 for order A-1003 because it is late","metadata":{"operator_uid":"u-ben"}}'
  The same with a readable trace:
    npm run bailing -- run orders "What is the status of order A-1003?" --url ${url} --token ${serverToken} --meta operator_uid=u-ada
  Decide about the held refund; approved, the hub runs it by itself, once:
    npm run --silent bailing -- approvals list --url ${url} --token ${serverToken}
    npm run --silent bailing -- approvals approve 1 --url ${url} --token ${serverToken}
  The configuration this runs with:
    ${configFile}`;
}
