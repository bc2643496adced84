import { expect } from 'chai';
import fc from 'fast-check';
import {
  argsHash,
  bodyFailure,
  callFailure,
  canonicalJson,
  cutUtf8,
  idempotencyKey,
  isReservedHeader,
  readStrictJson,
  readTicket,
  signBody,
  signCall,
  signSpecFetch,
  signTicket,
  toolToken,
  utf8Length,
} from './index.js';
import { readSlowly } from './strict-json.js';

const SECRET = 'bailing-test-secret';
const JOB = '11111111-2222-4333-8444-555555555555';

describe('contract: signatures (WIRE §6.3)', () => {
  const create = {
    timestamp: '1718000000',
    method: 'post',
    target: '/goods/create',
    body: '{"title":"test","price":9.9}',
    onBehalfOf: '179:1',
    jobId: 'job-test-001',
  };

  it('gives the frozen signatures', () => {
    expect(signCall(SECRET, create)).to.equal('sha256=6deb8dbd54268eee4631129b442acbc9797431642473326a10a5b0826431aae5');
    expect(signSpecFetch(SECRET, '1718000000', '/bailing/tools.json')).to.equal(
      'sha256=505ab99763cd20b50ba4066ee2ac315fe6af12a8638e7dabef63508abddedc74',
    );
    expect(signBody(SECRET, '1718000000000', '{"kind":"delivery","job_id":"job-test-001","status":"done"}')).to.equal(
      'sha256=ca81d247422d926be3066f065a8c92a1beaffc6f37f01ef7d3e2c47b46f63210',
    );
    const get = { ...create, method: 'GET', target: '/orders/A%201%2F2?status=%E5%BE%85+%E4%BB%98&tags=a%2Cb&n=10', body: '' };
    expect(signCall(SECRET, get)).to.equal('sha256=3a87ce0cb3096cd8bef881c5c28e1bdf32ee57cc61ad4dd987e25b4b6556eca6');
    const sync = { ...create, target: '/orders/sync', body: '{}', onBehalfOf: '' };
    expect(signCall(SECRET, sync)).to.equal('sha256=a345a41996bff3736fe3ca5ff03b0e784a4c54c54cad7ee0e8adbc5562b25975');
  });

  it('gives the decision signature', () => {
    const body =
      '{"kind":"tool_approval_decision","schema_version":"bailing.approval-decision.v1","approval_id":123,' +
      `"job_id":"${JOB}","request_id":"crm:1","args_hash":"31baf68423d00d8e4a82cc82eceb5cd3b82eae6ba0fd6fa7cd8a9298eb161655",` +
      '"decision_id":"oa:9001","decision":"approved","approver":"u2"}';
    expect(signBody(SECRET, '1718000000000', body)).to.equal('sha256=8ad88840990b8d52396b07c14023b7b382f87b6f36d6ba11545057191951bcdf');
  });

  it('refuses at exactly the window and accepts one second inside', () => {
    const signature = signCall(SECRET, create);
    const at = (seconds: number) => callFailure(SECRET, create, signature, (1718000000 + seconds) * 1000);
    expect([at(299), at(-299)]).to.deep.equal([null, null]);
    expect([at(300), at(-300)]).to.deep.equal(['timestamp_out_of_window', 'timestamp_out_of_window']);
    const body = (ms: number) => bodyFailure(SECRET, '1718000000000', 'x', signBody(SECRET, '1718000000000', 'x'), 1718000000000 + ms);
    expect([body(299_999), body(300_000)]).to.deep.equal([null, 'timestamp_out_of_window']);
  });

  it('answers every malformed signature and timestamp with a reason word', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (timestamp, signature) => {
        expect(callFailure(SECRET, { ...create, timestamp }, signature, 1718000000000)).to.be.oneOf([
          'timestamp_out_of_window',
          'bad_signature',
        ]);
      }),
    );
  });

  it('derives the tool token (WIRE §1.3)', () => {
    expect(toolToken('server-token-for-vector-0001', JOB, '66666666-7777-4888-8999-aaaaaaaaaaaa')).to.equal(
      'a87fbc6b9a693794f31f563a13f6ee139df856b8b84dc1e8929d788c8e34e8de',
    );
  });

  it('signs and reads tickets (WIRE §1.4)', () => {
    const ticket = signTicket('secret', 'tenant:user', 2000000000);
    expect(ticket).to.equal(
      'v1.eyJ1aWQiOiJ0ZW5hbnQ6dXNlciIsImV4cCI6MjAwMDAwMDAwMH0.ecfc7a95bda45da95751091c1f89e316170b5edbe555b4613e4049b9e9b848b1',
    );
    expect(readTicket('secret', ticket, 2000000000_000)).to.deep.equal({ ok: true, uid: 'tenant:user', exp: 2000000000 });
    expect(readTicket('secret', ticket, 2000000000_001)).to.deep.equal({ ok: false, reason: 'ticket_expired' });
    expect(readTicket('other', ticket, 0)).to.deep.equal({ ok: false, reason: 'bad_ticket' });
  });
});

describe('contract: canonical JSON (WIRE §7)', () => {
  it('gives the worked examples', () => {
    const args = { order_no: 'A-1001', amount: 300, meta: { z: 1, a: [true, null, 'é'] }, price: 9.5 };
    const hash = '31baf68423d00d8e4a82cc82eceb5cd3b82eae6ba0fd6fa7cd8a9298eb161655';
    expect(canonicalJson(args)).to.equal('{"amount":300,"meta":{"a":[true,null,"é"],"z":1},"order_no":"A-1001","price":9.5}');
    expect(argsHash(args)).to.equal(hash);
    expect(idempotencyKey({ jobId: JOB, tool: 'refund_order', argsHash: hash, onBehalfOf: '179:1' })).to.equal(
      '2a3282191eb5a3ec622162a5c4a9e914a901f8da23e5fa7c164993389adfe75d',
    );
    expect(idempotencyKey({ jobId: JOB, tool: 'goods_list', argsHash: argsHash(undefined), onBehalfOf: '' })).to.equal(
      '53c9a983c95438501de08b21f83ba2922de73ca9c1824654611793be9655b8b9',
    );
    expect(argsHash({ b: 1, a: 2, A: 3, '10': 4, '9': 5, é: 6, '': 7, '😀': 8, '～': 9 })).to.equal(
      '34a0762c66b4b1cdc74f57c36e3749aff2bb12d3c8bd2aa6f817147f3221c409',
    );
    expect(argsHash(JSON.parse('{"n":1e21,"m":1e-7,"z":-0,"f":1.0,"big":12345678901234567890}'))).to.equal(
      '2e6e4afb25db7f7035b37f34ac23e949573c689cd0b93ce542c2feda2c1b8f7e',
    );
  });

  it('is the same text for the same value however its members were ordered', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue()), (members) => {
        const turned = Object.fromEntries(Object.entries(members).reverse());
        expect(canonicalJson(turned)).to.equal(canonicalJson(members));
        expect(canonicalJson(JSON.parse(canonicalJson(members)))).to.equal(canonicalJson(members));
      }),
    );
  });

  it('refuses lone surrogates and cycles', () => {
    const circle: Record<string, unknown> = {};
    circle.self = circle;
    expect(() => canonicalJson({ a: '\ud800' })).to.throw(TypeError);
    expect(() => canonicalJson(circle)).to.throw(TypeError);
  });
});

describe('contract: strict JSON', () => {
  it('reads what JSON.parse reads', () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), fc.nat(3), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        const safe = !/\\ud[89a-f]/i.test(text) && !hasHugeInteger(value);
        const read = readStrictJson(text);
        if (safe) expect(read).to.deep.equal({ ok: true, value: JSON.parse(text) as unknown });
      }),
    );
  });

  it('refuses duplicate keys, rounded integers, lone surrogates, bad text and bottomless nesting', () => {
    const code = (text: string) => {
      const read = readStrictJson(text);
      return read.ok ? 'ok' : read.code;
    };
    expect(code('{"a":1,"a":2}')).to.equal('duplicate_key');
    expect(code('{"a":1,"\\u0061":2}')).to.equal('duplicate_key');
    expect(code('{"id":9007199254740993}')).to.equal('number_too_large');
    expect(code('1e999')).to.equal('number_too_large');
    expect(code('9007199254740991')).to.equal('ok');
    expect(code('"\\ud800"')).to.equal('lone_surrogate');
    for (const bad of ['', '{', '{}{}', '{"a":01}', '[1,]', 'NaN', "{'a':1}", '{"a":1}x', '"\u0001"', 'tru', '-'])
      expect(code(bad), bad).to.equal('not_json');
    expect(code('['.repeat(100_000))).to.equal('too_deep');
  });

  it('keeps a member named __proto__ as data', () => {
    const read = readStrictJson('{"__proto__":{"x":1}}');
    expect(read.ok && Object.keys(read.value as object)).to.deep.equal(['__proto__']);
    expect(({} as Record<string, unknown>).x).to.equal(undefined);
  });

  it('never throws, and answers the same whether the fast or the exact reader answered', () => {
    const pieces = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"a"',
      '"\\u0061"',
      '"\\ud800"',
      '1',
      '9007199254740993',
      '1e999',
      '-0',
      'true',
      ' ',
      '"__proto__"',
      '"x\\"y"',
    );
    const glued = fc.array(pieces, { maxLength: 14 }).map((parts) => parts.join(''));
    const members = fc
      .array(fc.tuple(pieces, pieces), { maxLength: 4 })
      .map((pairs) => `{${pairs.map((pair) => pair.join(':')).join(',')}}`);
    const json = fc.jsonValue().map((value) => JSON.stringify(value));
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), glued, members, json), (text) => {
        expect(readStrictJson(text)).to.deep.equal(readSlowly(text));
      }),
      { numRuns: 2_000 },
    );
  });
});

function hasHugeInteger(value: unknown): boolean {
  if (typeof value === 'number') return Number.isInteger(value) && !Number.isSafeInteger(value);
  return value !== null && typeof value === 'object' && Object.values(value).some(hasHugeInteger);
}

describe('contract: bytes and headers', () => {
  it('cuts on a character border and never exceeds the budget', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.nat(40), (text, max) => {
        const { text: kept, cut } = cutUtf8(text, max);
        expect(utf8Length(kept)).to.be.at.most(max);
        expect(text.startsWith(kept)).to.equal(true);
        expect(cut).to.equal(utf8Length(text) > max);
        if (cut) expect(max - utf8Length(kept)).to.be.below(4);
      }),
    );
  });

  it('keeps hub, hop-by-hop and credential headers away from parameters in any letter case', () => {
    for (const name of [
      'x-bailing-signature',
      'X-BAILING-On-Behalf-Of',
      'Host',
      'AUTHORIZATION',
      'content-Length',
      'Transfer-Encoding',
      'Cookie',
      'X-Forwarded-For',
    ])
      expect(isReservedHeader(name), name).to.equal(true);
    expect(isReservedHeader('X-Tenant')).to.equal(false);
  });
});
