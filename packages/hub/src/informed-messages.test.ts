import type { Trade } from '@bailing/engine';
import type { Settings } from '@bailing/engine/ports';
import type { Log } from '@bailing/plugin-api';
import { expect } from 'chai';
import { informedMessages } from './informed-messages.js';

const quiet: Log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

/** Works on one message through `ops`, and answers what happened in which order. */
async function worked(before: object[], afterLook: object[] | Error): Promise<readonly string[]> {
  let channels = before;
  const seen: string[] = [];
  const settings = () => ({ channels: () => channels }) as unknown as Settings;
  const lookAgain = () => {
    seen.push('looked');
    if (afterLook instanceof Error) return Promise.reject(afterLook);
    channels = afterLook;
    return Promise.resolve();
  };
  const trade = { topics: [], work: () => Promise.resolve(void seen.push(`worked with ${String(channels.length)}`)) } as unknown as Trade;
  const job = { target: 'channel-send', metadata: JSON.stringify({ message: { channel: 'ops', to: ['u1'] } }) };
  await informedMessages({ settings, lookAgain, log: quiet }, trade).work({ job } as never, new AbortController().signal, {} as never);
  return seen;
}

describe('A message through a channel that another hub has just got', () => {
  const ops = { name: 'ops', kind: 'webhook', enabled: true };

  it('is worked on once the configuration was read again', async () => {
    expect(await worked([], [ops])).to.deep.equal(['looked', 'worked with 1']);
    expect(await worked([{ ...ops, enabled: false }], [ops])).to.deep.equal(['looked', 'worked with 1']);
  });

  it('asks for nothing where the channel is known, and waits for nobody where the database does not answer', async () => {
    expect(await worked([ops], [])).to.deep.equal(['worked with 1']);
    expect(await worked([], new Error('gone'))).to.deep.equal(['looked', 'worked with 0']);
  });
});
