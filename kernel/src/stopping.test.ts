import { definePlugin } from '@bailing/plugin-api';
import { expect } from 'chai';
import fc from 'fast-check';
import { failureOf, found, kernelOf, never, pause } from './test-support/boot.js';
import { diary } from './test-support/diary.js';

describe('stopping', () => {
  it('tries everybody, gives each a time limit, and says who failed', async () => {
    const lines: string[] = [];
    const stuck = definePlugin({ id: 'stuck', stop: () => new Promise<void>(() => undefined) });
    const kernel = kernelOf([diary('aa', lines), stuck, diary('cc', lines, { failsIn: 'stop' })], { stopTimeoutMs: 20 });
    await kernel.init();
    expect(await kernel.stop()).to.deep.equal([
      { plugin: 'cc', says: 'cc breaks in stop' },
      { plugin: 'stuck', says: 'It did not stop within 20 ms.' },
    ]);
    expect(lines.filter((line) => line.startsWith('stop'))).to.deep.equal(['stop cc', 'stop aa']);
  });

  it('while a setup runs cuts it short and then stops the rest', async () => {
    const lines: string[] = [];
    const waiting = definePlugin({ id: 'waiting', setup: (_context, signal) => never(signal) });
    const kernel = kernelOf([diary('aa', lines), waiting, diary('cc', lines)]);
    const booting = failureOf(kernel.init());
    await pause(5);
    await kernel.stop();
    expect((await booting).message).to.contain('cut short by a stop');
    expect(lines).to.deep.equal(['setup aa', 'make aa', 'stop aa']);
    expect((await failureOf(kernel.start())).message).to.equal('the kernel was stopped');
  });

  it('before anything started is nothing', async () => {
    expect(await kernelOf([diary('aa', [])]).stop()).to.deep.equal([]);
  });

  it('happens exactly once for exactly those whose setup was through, whatever fails where', async () => {
    const spot = fc.constantFrom('setup', 'make', 'start', 'stop', 'nowhere');
    const run = fc.array(fc.record({ failsIn: spot, optional: fc.boolean(), needsPrevious: fc.boolean() }), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(run, async (specs) => {
        const lines: string[] = [];
        const plugins = specs.map(({ failsIn, optional, needsPrevious }, index) =>
          found(
            diary(`p${index}`, lines, { failsIn, offers: `s${index}/1`, ...(needsPrevious && index > 0 && { needs: `s${index - 1}/1` }) }),
            { optional },
          ),
        );
        const kernel = kernelOf(plugins);
        const booted = await kernel
          .init()
          .then(() => kernel.start())
          .then(
            () => true,
            () => false,
          );
        const failed = kernel.check();
        expect(booted).to.equal(!failed.some(({ fatal }) => fatal));
        await kernel.stop();
        const up = specs.flatMap((spec, index) =>
          lines.includes(`setup p${index}`) && spec.failsIn !== 'setup' ? [`stop p${index}`] : [],
        );
        expect(lines.filter((line) => line.startsWith('stop')).sort()).to.deep.equal(up.sort());
        for (const problem of failed) expect(problem.fatal).to.equal(!plugins.find(({ plugin }) => plugin.id === problem.plugin)?.optional);
      }),
      { numRuns: 150 },
    );
  });
});
