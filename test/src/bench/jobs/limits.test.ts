import { expect } from 'chai';
import { brokenJobs } from './jobs.js';
import type { Figures } from './measure.js';

const good = { hub: 'hub on X', handOverMs: { p50: 20, p99: 900 }, idleCpuPercent: 2, mibPerThousandStreams: 32 } as unknown as Figures;

describe('The limits of bench jobs', () => {
  it('hold at their edges, and a system that does not tell its memory breaks none', () => {
    expect(brokenJobs({ hubs: [good, { ...good, mibPerThousandStreams: null }] })).to.deep.equal([]);
  });

  it('say each figure that is worse', () => {
    const bad = { ...good, handOverMs: { p50: 20.1, p99: 0 }, idleCpuPercent: 2.1, mibPerThousandStreams: 32.1 };
    const said = brokenJobs({ hubs: [bad] });
    expect(said).to.have.length(3);
    for (const [index, figure] of ['20.1 ms', '2.1 %', '32.1 MiB'].entries())
      expect(said[index]).to.include(`${figure}`).and.to.include('hub on X');
  });
});
