import { expect } from 'chai';
import fc from 'fast-check';
import { shares } from './profile.js';
import { broken } from './limits.js';
import type { Report } from './calls.js';
import { replaced } from './page.js';
import { median, merged, percentile, short } from './statistics.js';

describe('the benchmark counts rightly', () => {
  it('a percentile is a measured value, by nearest rank', () => {
    const sorted = Array.from({ length: 100 }, (_, index) => index + 1);
    expect([0, 0.5, 0.99, 1].map((share) => percentile(sorted, share))).to.deep.equal([1, 50, 99, 100]);
    expect(percentile([7], 0.99)).to.equal(7);
    expect(percentile([], 0.5)).to.be.NaN;
  });

  it('at least the share asked for lies at or below a percentile', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 1000 }), { minLength: 1 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (values, share) => {
          const sorted = merged([values]);
          const found = percentile(sorted, share);
          return sorted.filter((value) => value <= found).length >= share * values.length - 1e-9;
        },
      ),
    );
  });

  it('the median of an even count lies between the two in the middle', () => {
    expect(median([4, 1, 3, 2])).to.equal(2.5);
    expect(median([3, 1, 2])).to.equal(2);
    expect(median([])).to.be.NaN;
  });

  it('lists are merged sorted by size, not by spelling', () => {
    expect([
      ...merged([
        [10, 9],
        [100, 1],
      ]),
    ]).to.deep.equal([1, 9, 10, 100]);
    expect(short(1234.5)).to.equal(1230);
  });

  it('a profile tells self time by function and by room, idle time apart', () => {
    const frame = (functionName: string, url = '') => ({ functionName, url, scriptId: '0', lineNumber: 4, columnNumber: 0 });
    const nodes = [
      { id: 1, callFrame: frame('(idle)') },
      { id: 2, callFrame: frame('hash', 'file:///x/node_modules/koa/lib/a.js') },
      { id: 3, callFrame: frame('(garbage collector)') },
    ];
    const told = shares({ nodes, startTime: 0, endTime: 100, samples: [1, 2, 2, 3], timeDeltas: [60, 20, 10, 10] });
    expect(told.idlePercent).to.equal(60);
    expect(told.functions[0]).to.deep.equal({ where: 'hash file:///x/node_modules/koa/lib/a.js:5', selfPercent: 75 });
    expect(told.rooms.map(({ where }) => where)).to.deep.equal(['node_modules/koa', '(garbage collector)']);
  });
});

describe('the benchmark says when a limit is broken', () => {
  const fine = { rows: [], manyTools: null, hugeAnswers: [] } as unknown as Report;
  const row = (operation: string, proxy: number, way = 'hub on SQLite') => ({ operation, way, concurrent: 32, slowerThan: { proxy } });

  it('reads over 4 and writes over 6 times the proxy at 32 concurrent on SQLite', () => {
    const report = (rows: object[]) => broken({ ...fine, rows } as Report);
    expect(report([row('read', 4), row('write', 6), row('read', 9, 'hub on MariaDB'), { ...row('read', 9), concurrent: 8 }])).to.deep.equal(
      [],
    );
    expect(report([row('read', 4.01), row('write', 6.01)])).to.have.length(2);
  });

  it('a route whose 2,000 tools cost a call something', () => {
    const report = (ratio: object) => broken({ ...fine, manyTools: { rows: [], ratio, claimP50Ms: {} } } as Report);
    expect(report({ read: 1.05, write: 0.9 })).to.deep.equal([]);
    expect(report({ read: 1.6, write: 1 })[0]).to.match(/2,000 tools costs 1.6/);
  });

  it('an answer that is taken into memory whole', () => {
    const report = (grewMiB: number | null) => broken({ ...fine, hugeAnswers: [{ form: 'gzip', answer: '', grewMiB, seconds: 1 }] });
    expect([...report(6), ...report(null)]).to.deep.equal([]);
    expect(report(412)[0]).to.match(/gzip.*412 MiB/);
  });
});

describe('the performance page', () => {
  const report = { machine: {}, fdatasyncP50Ms: { disk: 0.3, slowed: null }, rows: [], slowSyncRows: [], manyTools: null, hugeAnswers: [] };

  it('gets its figures between its marks and nowhere else', () => {
    const page = 'above\n<!-- bench calls: begin -->\nold\n<!-- bench calls: end -->\nbelow\n';
    const written = replaced(page, { ...report, skipped: ['there is no cc.'] } as unknown as Report);
    expect(written).to.match(/^above\n<!-- bench calls: begin -->\nCommand: /);
    expect(written).to.match(/Skipped, because there is no cc\.\n<!-- bench calls: end -->\nbelow\n$/);
    expect(written).not.to.contain('old');
  });

  it('is not written where its marks are gone', () => {
    expect(() => replaced('a page', { ...report, skipped: [] } as unknown as Report)).to.throw(/lost its marks/);
  });
});
