import { expect } from 'chai';
import { childOf, readTraceContext } from './trace-context.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';

describe('Trace context', () => {
  it('is read where it has the form of its recommendation, and a later version is answered as the first', () => {
    expect(readTraceContext(`00-${TRACE}-${PARENT}-01`)).to.deep.equal({ traceparent: `00-${TRACE}-${PARENT}-01` });
    expect(readTraceContext(`cc-${TRACE}-${PARENT}-01-more`)?.traceparent).to.equal(`00-${TRACE}-${PARENT}-01`);
    expect(readTraceContext(`00-${TRACE}-${PARENT}-00`, ' a=1,b=2 ')?.tracestate).to.equal('a=1,b=2');
  });

  it('is nothing where it has not', () => {
    const bad = [undefined, 7, '', 'x', `00-${TRACE}-${PARENT}`, `00-${TRACE}-${PARENT}-01-more`, `ff-${TRACE}-${PARENT}-01`];
    const zero = [`00-${'0'.repeat(32)}-${PARENT}-01`, `00-${TRACE}-${'0'.repeat(16)}-01`, `00-${TRACE.toUpperCase()}-${PARENT}-01`];
    for (const value of [...bad, ...zero]) expect(readTraceContext(value), String(value)).to.equal(null);
  });

  it('drops a state that no header can carry, and keeps the parent', () => {
    for (const state of ['a\r\nb: c', 'é', 'x'.repeat(513), 7])
      expect(readTraceContext(`00-${TRACE}-${PARENT}-01`, state)).to.deep.equal({ traceparent: `00-${TRACE}-${PARENT}-01` });
  });

  it('goes on in the same trace under a span of its own', () => {
    const child = childOf({ traceparent: `00-${TRACE}-${PARENT}-01`, tracestate: 'a=1' }, 'b7ad6b7169203331');
    expect(child).to.deep.equal({ traceparent: `00-${TRACE}-b7ad6b7169203331-01`, tracestate: 'a=1' });
  });
});
