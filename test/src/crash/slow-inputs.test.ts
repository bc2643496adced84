import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { makeInputWorld, type InputWorld } from '../support/input-world.js';

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
const WAV = Buffer.concat([Buffer.from('RIFF\0\0\0\0WAVEfmt '), Buffer.alloc(2_000, 1)]);
/** WIRE §12: a download, a look, a recording, each. */
const STEP_MS = 60_000;

/** Begins a file and never ends it; under /silent it does not even begin. */
async function startEndless(): Promise<{ readonly host: string; close(): void }> {
  const server = http.createServer((request, response) => {
    if (request.url?.startsWith('/silent')) return;
    response.writeHead(200);
    const drip = setInterval(() => response.write('x'), 500);
    response.on('close', () => clearInterval(drip));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = (): void => void (server.closeAllConnections(), server.close());
  return { host: `127.0.0.1:${String((server.address() as AddressInfo).port)}`, close };
}

describe('places and models that never come to an end', function () {
  this.timeout(STEP_MS * 2);
  let world: InputWorld;
  let endless: Awaited<ReturnType<typeof startEndless>>;
  before(async () => {
    endless = await startEndless();
    world = await makeInputWorld({
      routes: {
        prepass: { image: { mode: 'prepass', credential: 'side' } },
        write: { audio: { credential: 'side' } },
        sum: { file: { mode: 'summarize', credential: 'side' } },
        plain: undefined,
      },
      media: { '/a.png': PNG, '/a.wav': WAV, '/a.md': Buffer.from('# Rules') },
      alsoPrivate: [endless.host],
      hub: { concurrency: 4 },
      side: () => new Promise(() => undefined),
    });
  });
  after(async () => {
    await world.close();
    endless.close();
  });

  it('cost each job a minute, and it goes on without what they were asked for', async () => {
    const begun = performance.now();
    const { url } = world.media;
    const [look, words, summary, file] = await Promise.all([
      world.run('prepass', `See ![photo](${url}/a.png)`, STEP_MS * 1.5),
      world.run('write', `Listen: [voice](${url}/a.wav)`, STEP_MS * 1.5),
      world.run('sum', `Read [file](${url}/a.md)`, STEP_MS * 1.5),
      world.run('plain', `Read [file](http://${endless.host}/never.txt)`, STEP_MS * 1.5),
    ]);
    expect(performance.now() - begun).to.be.within(STEP_MS - 1_000, STEP_MS + 20_000);
    for (const { job, text } of [look, words, summary, file]) expect([job.status, text]).to.deep.equal(['done', 'All right.']);
    const event = (of: typeof look, name: string) => of.events.find(({ event: is }) => is === name)?.detail;
    expect(event(look, 'perception')).to.include({ mode: 'prepass', ok: false });
    expect(event(words, 'speech')).to.include({ ok: false });
    expect(event(summary, 'file_input'))
      .to.include({ ok: true })
      .and.have.property('error')
      .that.matches(/^summary: /);
    expect(event(file, 'file_input')).to.include({ ok: false, error: 'BAILING_OUTBOUND_FAILED' });
  });

  it('cost a message with thirty links no more than a minute, and leave what stands behind them their share', async () => {
    const silent = Array.from({ length: 30 }, (_, n) => `[voice](http://${endless.host}/silent${String(n)}.wav)`).join(' ');
    const begun = performance.now();
    const { job, events } = await world.run('write', `${silent} [file](${world.media.url}/a.md)`, STEP_MS * 1.5);
    expect(performance.now() - begun).to.be.within(14_000, STEP_MS);
    expect(job.status).to.equal('done');
    expect(events.filter(({ event }) => event === 'speech').map(({ detail }) => detail.index)).to.deep.equal([...Array(20).keys()]);
    expect(events.find(({ event }) => event === 'file_input')?.detail).to.include({ ok: true });
  });
});
