import fc from 'fast-check';
import { bent, dotted, hmacHex, latin, MS, nearly, oddBytes, put, SECRET, sha256, TS } from './bytes.js';
import type { Draft } from './corpus.js';

type Bytes = Buffer;
const seldom = <T>(value: fc.Arbitrary<T>, other: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  fc.oneof({ weight: 4, arbitrary: value }, { weight: 1, arbitrary: other });
const text = (...choices: string[]): fc.Arbitrary<Bytes> => fc.constantFrom(...choices).map((choice) => Buffer.from(choice, 'utf8'));

const method = seldom(text('GET', 'POST', 'post', 'PaTcH', 'DELETE'), oddBytes);
const target = seldom(text('/', '/orders?q=a+b', '/a%2Fb?x=%20', '//a/../b?', '/x?a=1&a=2', '/orders/1.2', '/订单'), oddBytes);
const body = seldom(text('', '{}', '{"a":1}', '{"t":"待付"}'), oddBytes);
const person = fc.option(seldom(text('', '179:1', 't.1:u.2', '租户:张三'), oddBytes));

/** Timestamps around the edges of the window, in the unit given, and odd ones. */
function timestamps(now: number, window: number): fc.Arbitrary<Bytes | null> {
  const near = fc.integer({ min: -window - 2, max: window + 2 }).map((off) => latin(String(now + off)));
  const edge = fc.constantFrom(-window, -window + 1, window - 1, window, 0).map((off) => latin(String(now + off)));
  const right = fc.oneof(
    { weight: 6, arbitrary: near },
    { weight: 3, arbitrary: edge },
    { weight: 3, arbitrary: bent(latin(String(now))) },
  );
  const odd: fc.Arbitrary<Bytes | null> = fc.option(oddBytes);
  return fc.oneof({ weight: 12, arbitrary: right }, { weight: 1, arbitrary: odd });
}

const signature = (right: Bytes): fc.Arbitrary<Bytes | null> =>
  fc.oneof({ weight: 9, arbitrary: nearly(right) }, { weight: 1, arbitrary: fc.constant(null) });

function upper(bytes: Bytes): Bytes {
  return Buffer.from(bytes.map((byte) => (byte >= 0x61 && byte <= 0x7a ? byte - 32 : byte)));
}

const none = Buffer.alloc(0);

interface Call {
  readonly method: Bytes;
  readonly target: Bytes;
  readonly body: Bytes;
  readonly timestamp: Bytes | null;
  readonly subject: Bytes | null;
  readonly job: Bytes | null;
}

const calls: fc.Arbitrary<Call> = fc.record({ method, target, body, timestamp: timestamps(TS, 300), subject: person, job: person });

function rightSignature(call: Call): Bytes {
  const string = dotted(call.timestamp ?? none, upper(call.method), call.target, sha256(call.body), call.subject ?? none, call.job ?? none);
  return latin(`sha256=${hmacHex(SECRET, string)}`);
}

/** Tool calls, right and wrong. */
export const toolCalls: fc.Arbitrary<Draft> = calls.chain((call) =>
  signature(rightSignature(call)).map((sig) => ({
    group: 'tool-call',
    kind: 'verify',
    now: TS,
    input: {
      secret: SECRET,
      ...put('method', call.method),
      ...put('target', call.target),
      bodyHex: call.body.toString('hex'),
      ...put('timestamp', call.timestamp),
      ...put('signature', sig),
      ...put('onBehalfOf', call.subject),
      ...put('jobId', call.job),
    },
  })),
);

/** Callbacks, right and wrong. */
export const callbacks: fc.Arbitrary<Draft> = fc.record({ body, timestamp: timestamps(MS, 300_000) }).chain((sent) => {
  const right = latin(`sha256=${hmacHex(SECRET, dotted(sent.timestamp ?? none, sent.body))}`);
  return signature(right).map((sig) => ({
    group: 'callback',
    kind: 'verify',
    now: MS,
    input: { secret: SECRET, bodyHex: sent.body.toString('hex'), ...put('timestamp', sent.timestamp), ...put('signature', sig) },
  }));
});

type Header = [string, string] | { name: string; valueHex: string };
const header = (name: string, value: Bytes): Header => {
  const shown = put('value', value);
  return shown['value'] !== undefined ? [name, shown['value']] : { name, valueHex: shown['valueHex'] ?? '' };
};

const names = ['X-Bailing-Timestamp', 'X-Bailing-Signature', 'X-Bailing-On-Behalf-Of', 'X-Bailing-Job-Id'];
const spelled = (name: string): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(name, name.toLowerCase(), name.toUpperCase()) },
    { weight: 1, arbitrary: fc.constantFrom(name.replaceAll('-', '_'), `${name} `, `${name}-2`, `HTTP_${name}`) },
  );

/** Header lists: names in odd spellings, repeated, missing, with odd values and odd white space. */
export const headerLists: fc.Arbitrary<Draft> = calls.chain((call) => {
  const values = [call.timestamp ?? none, rightSignature(call), call.subject ?? none, call.job ?? none];
  const one = fc
    .nat({ max: 3 })
    .chain((at) => fc.tuple(spelled(names[at] ?? ''), nearly(values[at] ?? none)).map(([name, value]) => header(name, value)));
  const all = fc.tuple(
    ...values.map((value, at) => fc.tuple(spelled(names[at] ?? ''), nearly(value)).map(([name, bytes]) => header(name, bytes))),
  );
  const plain = fc.constant(values.map((value, at) => header(names[at] ?? '', value)));
  return fc.tuple(seldom<Header[]>(plain, all), fc.array(one, { maxLength: 2 }), fc.boolean()).map(([first, more, add]) => ({
    group: 'header-parsing',
    kind: 'verify',
    now: TS,
    input: {
      secret: SECRET,
      ...put('method', call.method),
      ...put('target', call.target),
      bodyHex: call.body.toString('hex'),
      headers: add ? [...first, ...more] : first,
    },
  }));
});

const queryPiece = fc.oneof(
  text('a', 'b', '=', '&', '+', '%20', '%', '%E5%BE%85', '%FF', '%ED%A0%80', '%00', 'a[]', '__proto__', ';', '待', '%2', '%zz'),
  oddBytes.map((bytes) => latin(bytes.toString('latin1').replace(/[\r\n\0 #?]/g, ''))),
);

/** Gates before an authorize that says yes: rightly signed, so that the parameters are what is at stake. */
export function gates(json: fc.Arbitrary<Buffer>): fc.Arbitrary<Draft> {
  const query = fc.array(queryPiece, { maxLength: 8 }).map((parts) => Buffer.concat(parts));
  const bodies = fc.oneof(fc.constant(none), json, oddBytes);
  return fc
    .record({ query, body: bodies, verb: fc.constantFrom('GET', 'POST'), subject: person, job: text('job-1', 'a.b', '') })
    .map((given) => {
      const call: Call = {
        method: latin(given.verb),
        target: Buffer.concat([latin('/orders?'), given.query]),
        body: given.body,
        timestamp: latin(String(TS)),
        subject: given.subject,
        job: given.job,
      };
      const headers = [
        header(names[0] ?? '', latin(String(TS))),
        header(names[1] ?? '', rightSignature(call)),
        header(names[3] ?? '', given.job),
      ];
      if (given.subject !== null) headers.push(header(names[2] ?? '', given.subject));
      return {
        group: 'gate',
        kind: 'gate',
        now: TS,
        input: {
          secret: SECRET,
          method: given.verb,
          ...put('target', call.target),
          bodyHex: given.body.toString('hex'),
          headers,
          tool: 'refund',
          authorize: 'true',
        },
      };
    });
}
