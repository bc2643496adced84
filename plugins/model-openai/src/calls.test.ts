import type { ModelDelta } from '@bailing/plugin-api';
import { expect } from 'chai';
import fc from 'fast-check';
import { CallBook } from './calls.js';
import { SseReader } from './sse.js';
import { joined } from './test-support/assemble.js';

interface Call {
  readonly name: string;
  readonly args: string;
  /** The arguments cut into fragments. */
  readonly cuts: readonly string[];
}

const call = fc
  .record({
    name: fc.stringMatching(/^[a-z_]{1,12}$/),
    value: fc.dictionary(fc.string({ maxLength: 6 }), fc.jsonValue({ maxDepth: 1 }), { maxKeys: 3 }),
    seed: fc.nat(),
  })
  .map(({ name, value, seed }): Call => {
    const args = JSON.stringify(value);
    const step = 1 + (seed % 5);
    return { name, args, cuts: Array.from({ length: Math.ceil(args.length / step) }, (_, at) => args.slice(at * step, (at + 1) * step)) };
  });
const calls = fc.array(call, { minLength: 1, maxLength: 5 });

function assembled(fragments: readonly unknown[]): unknown {
  const book = new CallBook();
  const deltas: ModelDelta[] = fragments.flatMap((fragment) => book.add(fragment, true));
  return joined([...deltas, ...book.end(), { is: 'end', reason: 'tool_calls' }]).calls;
}

const wanted = (list: readonly Call[]): unknown => list.map(({ name, args }) => ({ name, args }));
const opening = (index: number | undefined, id: string, name: string, args: string): unknown => ({
  ...(index !== undefined && { index }),
  id,
  function: { name, arguments: args },
});

describe('fragments of tool calls', () => {
  it('with an index come out whole, however they interleave', () => {
    fc.assert(
      fc.property(calls, fc.infiniteStream(fc.nat({ max: 4 })), (list, order) => {
        const rows = list.map((one, index) => [
          opening(index, `id-${String(index)}`, one.name, ''),
          ...one.cuts.map((args) => ({ index, function: { arguments: args } })),
        ]);
        // Every call is opened in order; the rest of the fragments come in any order that keeps each call's own.
        const fragments = rows.map((row) => row[0]);
        const left = rows.map((row) => row.slice(1));
        while (left.some((row) => row.length > 0)) {
          const open = left.filter((row) => row.length > 0);
          fragments.push(open[order.next().value % open.length]?.shift());
        }
        expect(assembled(fragments)).to.deep.equal(wanted(list));
      }),
      { numRuns: 100 },
    );
  });

  it('one call after the other come out whole without an index, with index 0 for all, or with a new id each time', () => {
    const dialects: ((one: Call, index: number) => unknown[])[] = [
      (one, index) => [
        opening(undefined, `id-${String(index)}`, one.name, ''),
        ...one.cuts.map((args) => ({ id: '', function: { arguments: args } })),
      ],
      (one, index) => [
        opening(0, `id-${String(index)}`, one.name, ''),
        ...one.cuts.map((args) => ({ index: 0, id: '', function: { name: '', arguments: args } })),
      ],
      (one, index) => [
        opening(index, `id-${String(index)}`, one.name, ''),
        ...one.cuts.map((args, at) => ({ index, id: `x${String(at)}`, function: { name: null, arguments: args } })),
      ],
      (one, index) => [opening(undefined, `id-${String(index)}`, one.name, one.args)],
      (one, index) => [opening(0, `id-${String(index)}`, one.name, one.args)],
      (one, index) => [
        { index: null, id: `id-${String(index)}`, function: { name: one.name, arguments: JSON.parse(one.args) as unknown } },
      ],
      (one, index) => one.cuts.map((args) => opening(index, `id-${String(index)}`, one.name, args)),
    ];
    fc.assert(
      fc.property(calls, fc.constantFrom(...dialects), (list, dialect) => {
        expect(assembled(list.flatMap(dialect))).to.deep.equal(wanted(list));
      }),
      { numRuns: 150 },
    );
  });

  it('never throw anything but a model failure, whatever they are', () => {
    const junk = fc.oneof(
      fc.anything(),
      fc.record(
        {
          index: fc.constantFrom(0, 1, null, -1, 0.5, '0'),
          id: fc.constantFrom('', 'a', 'b', null),
          function: fc.option(
            fc.record(
              { name: fc.constantFrom('f', 'g', '', null), arguments: fc.constantFrom('', '{', '{}', null, { a: 1 }, 7) },
              { requiredKeys: [] },
            ),
          ),
        },
        { requiredKeys: [] },
      ),
    );
    fc.assert(
      fc.property(fc.array(junk, { maxLength: 8 }), (fragments) => {
        try {
          assembled(fragments);
        } catch (error) {
          expect((error as Error).name).to.equal('ModelFailure');
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe('server-sent events', () => {
  it('are the same in whatever pieces their bytes arrive', () => {
    const line = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 12 }).map((text) => `data: ${text.replace(/[\r\n]/g, '')}`),
      fc.constantFrom('data', 'data:', 'data:x', ': note', 'event: error', 'id: 7', 'retry: 5', '', 'junk', 'data:  two'),
    );
    fc.assert(
      fc.property(
        fc.array(line, { maxLength: 12 }),
        fc.constantFrom('\n', '\r\n', '\r'),
        fc.array(fc.nat({ max: 6 }), { minLength: 1 }),
        (lines, end, sizes) => {
          const bytes = Buffer.from(lines.join(end) + end + end);
          const whole = new SseReader();
          const expected = [...whole.push(bytes), ...whole.end()];
          const cut = new SseReader();
          const got = [];
          for (let at = 0, turn = 0; at < bytes.length; turn++) {
            const size = 1 + (sizes[turn % sizes.length] ?? 0);
            got.push(...cut.push(bytes.subarray(at, at + size)));
            at += size;
          }
          expect([...got, ...cut.end()]).to.deep.equal(expected);
        },
      ),
      { numRuns: 150 },
    );
  });

  it('keep spaces beyond the first, several data lines, the event name, and ignore comments and a byte order mark', () => {
    const reader = new SseReader();
    const events = reader.push(Buffer.from('\ufeff: hi\nevent: error\ndata:  a\ndata:b\ndata\n\nid: 1\n\ndata: c\r\n\r\n'));
    expect(events).to.deep.equal([
      { name: 'error', data: [' a', 'b', ''] },
      { name: '', data: ['c'] },
    ]);
  });
});
