import { expect } from 'chai';
import { aCall, aTool, declareCases, fixedClock, memoryLog, sampleCalls } from '../index.js';

describe('the fakes', () => {
  it('are calls as gates get them: frozen all the way down', () => {
    for (const call of sampleCalls()) {
      expect(() => Reflect.set(call.args, 'amount', 1) && expect.fail('an argument was changed')).not.to.throw();
      for (const part of [call, call.args, call.tool, call.tool.confirmWhen, call.job]) expect(Object.isFrozen(part)).to.equal(true);
    }
    expect(aCall({ tool: aTool({ risk: 'high' }) }).tool.risk).to.equal('high');
  });

  it('keep log lines and move time only when told to', () => {
    const log = memoryLog();
    log.warn('careful', { a: 1 });
    expect(log.lines).to.deep.equal([{ level: 'warn', message: 'careful', fields: { a: 1 } }]);
    const clock = fixedClock(5);
    clock.advance(10);
    expect([clock.now(), clock.now()]).to.deep.equal([15, 15]);
  });
});

describe('declaring cases', () => {
  it('outside a test runner says so', () => {
    const runner = globalThis as { it?: unknown };
    const { it: kept } = runner;
    delete runner.it;
    try {
      expect(() => declareCases([{ title: 'x', check: () => Promise.resolve() }], () => 1)).to.throw(TypeError, 'inside a test runner');
    } finally {
      runner.it = kept;
    }
  });
});
