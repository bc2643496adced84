import { expect } from 'chai';
import type { ServerResponse } from 'node:http';
import type { ProviderRow, SourceRefresh, ToolSource, ToolSourceKind } from '@bailing/plugin-api';
import { sourceOpenapiPlugin } from './plugin.js';
import { realHttp, startBusiness, type Form, type Handler } from './test-support/loopback.js';

const SECRET = 'spec-fetch-secret';
const document = (more = '') =>
  `openapi: 3.1.0\npaths:\n  /orders:\n    get:\n      operationId: order_list\n      summary: List the orders\n      x-agent-capability: {version: 1, enabled: true, scope: order.read}\n${more}`;

function openSource(row: Partial<ProviderRow>): ToolSource {
  const [contribution] = sourceOpenapiPlugin.contributions;
  const services = { http: realHttp, clock: { now: () => Date.now() } };
  const kind = contribution?.make({ config: {}, services, own: undefined, log: console }) as ToolSourceKind;
  const base = { name: 'orders', kind: 'openapi', base_url: 'http://127.0.0.1', secret: SECRET, timeout_ms: 10_000 };
  return kind.open({ ...base, spec_source: 'url', spec_access_policy: 'signed_required', ...row });
}

type Answer = number | ((response: ServerResponse) => void);
const reply = (answer: Answer, response: ServerResponse): void => {
  if (typeof answer === 'function') return answer(response);
  response.writeHead(answer, { 'content-type': 'application/yaml', location: 'http://127.0.0.1:9/' }).end(answer < 300 ? document() : 'no');
};

async function refresh(answers: Partial<Record<Form, Answer>>, row: Partial<ProviderRow> = {}) {
  const handler: Handler = ({ form }, response) => reply(answers[form] ?? 500, response);
  const business = await startBusiness(SECRET, handler);
  try {
    const spec_url = `${business.url}/.well-known/bailing/tools.json?v=1`;
    const result = await openSource({ spec_url, ...row }).refresh(new AbortController().signal);
    return { result, seen: business.seen, url: business.url };
  } finally {
    await business.stop();
  }
}

const brief = (result: SourceRefresh) => [
  result.is,
  result.probe?.status,
  result.probe?.signed_http,
  result.probe?.unsigned_http,
  result.probe?.invalid_http,
];
const huge = (response: ServerResponse): void => void response.writeHead(200).end('x'.repeat(5_242_881));
const broken = (response: ServerResponse): void => void response.destroy();
const cut = (response: ServerResponse): void => {
  response.writeHead(200, { 'content-length': '1000' });
  response.write('openapi: 3.1.0');
  setTimeout(() => response.destroy(), 20);
};

describe('the refresh of a document by URL', () => {
  describe('with spec_access_policy signed_required', () => {
    for (const closed of [401, 403, 404])
      it(`replaces the cache and records protected where unsigned and wrongly signed requests answer ${closed}`, async () => {
        const { result } = await refresh({ signed: 200, unsigned: closed, invalid: closed });
        expect(brief(result)).to.deep.equal(['fresh', 'protected', 200, closed, closed]);
        expect(result.is === 'fresh' && result.document).to.equal(document());
      });

    const kept: [string, Partial<Record<Form, Answer>>, unknown[], string][] = [
      [
        'public where the document can be read without a signature',
        { signed: 200, unsigned: 200, invalid: 401 },
        ['public', 200, 200, 401],
        'BAILING_SPEC_ACCESS',
      ],
      [
        'public where a wrong signature is not noticed',
        { signed: 200, unsigned: 401, invalid: 204 },
        ['public', 200, 401, 204],
        'BAILING_SPEC_ACCESS',
      ],
      [
        'public where one negative is readable and the other unclear',
        { signed: 200, unsigned: 500, invalid: 200 },
        ['public', 200, 500, 200],
        'BAILING_SPEC_ACCESS',
      ],
      [
        'inconclusive where a negative redirects',
        { signed: 200, unsigned: 302, invalid: 401 },
        ['inconclusive', 200, 302, 401],
        'BAILING_SPEC_ACCESS',
      ],
      [
        'inconclusive where a negative is rate limited',
        { signed: 200, unsigned: 401, invalid: 429 },
        ['inconclusive', 200, 401, 429],
        'BAILING_SPEC_ACCESS',
      ],
      [
        'inconclusive where a negative fails inside the business',
        { signed: 200, unsigned: 503, invalid: 503 },
        ['inconclusive', 200, 503, 503],
        'BAILING_SPEC_ACCESS',
      ],
      [
        'inconclusive where a negative gets no answer',
        { signed: 200, unsigned: broken, invalid: 401 },
        ['inconclusive', 200, undefined, 401],
        'BAILING_SPEC_ACCESS',
      ],
      [
        'inconclusive where the signed request is refused',
        { signed: 403 },
        ['inconclusive', 403, undefined, undefined],
        'BAILING_SPEC_UNREADABLE',
      ],
      [
        'inconclusive where the signed request redirects, which is not followed',
        { signed: 302 },
        ['inconclusive', 302, undefined, undefined],
        'BAILING_SPEC_UNREADABLE',
      ],
      [
        'inconclusive where the signed request gets no answer',
        { signed: broken },
        ['inconclusive', undefined, undefined, undefined],
        'BAILING_SPEC_UNREADABLE',
      ],
      [
        'inconclusive where the signed answer breaks off',
        { signed: cut },
        ['inconclusive', undefined, undefined, undefined],
        'BAILING_SPEC_UNREADABLE',
      ],
      [
        'inconclusive where the signed answer is over 5 MiB',
        { signed: huge },
        ['inconclusive', 200, undefined, undefined],
        'BAILING_SPEC_UNREADABLE',
      ],
    ];
    for (const [title, answers, evidence, code] of kept)
      it(`keeps the cache and records ${title}`, async () => {
        const { result, url } = await refresh(answers);
        expect(brief(result)).to.deep.equal(['failed', ...evidence]);
        expect(result.is === 'failed' && result.code).to.equal(code);
        expect(result.probe?.reason?.length).to.be.within(10, 300);
        expect(JSON.stringify(result)).not.to.contain(new URL(url).host).and.not.to.contain(SECRET);
      });

    it('sends no negative request before the signed one has succeeded, and nothing but the two headers', async () => {
      const failed = await refresh({ signed: 500 });
      expect(failed.seen.map((one) => one.form)).to.deep.equal(['signed']);
      const { seen } = await refresh({ signed: 200, unsigned: 401, invalid: 401 });
      expect(seen.map((one) => one.form)).to.have.members(['signed', 'unsigned', 'invalid']);
      expect(seen[0]?.form).to.equal('signed');
      for (const { form, headers, target } of seen) {
        expect(target).to.equal('/.well-known/bailing/tools.json?v=1');
        expect(Object.keys(headers).filter((name) => name.startsWith('x-bailing-'))).to.deep.equal(
          form === 'unsigned' ? [] : ['x-bailing-timestamp', 'x-bailing-signature'],
        );
      }
    });

    it('sends the two negatives at the same time', async () => {
      const waiting: ServerResponse[] = [];
      const together = (response: ServerResponse): void => {
        waiting.push(response);
        if (waiting.length === 2) for (const one of waiting) one.writeHead(401).end();
      };
      const { result } = await refresh({ signed: 200, unsigned: together, invalid: together });
      expect(result.is).to.equal('fresh');
    });
  });

  describe('with spec_access_policy public_allowed', () => {
    const row = { spec_access_policy: 'public_allowed' as const };
    it('reads without a signature, and records public', async () => {
      const { result, seen } = await refresh({ unsigned: 200 }, row);
      expect(brief(result)).to.deep.equal(['fresh', 'public', undefined, 200, undefined]);
      expect(seen.map((one) => one.form)).to.deep.equal(['unsigned']);
    });
    it('keeps the cache and records inconclusive where the document is protected, and never falls back to a signature', async () => {
      const { result, seen } = await refresh({ unsigned: 401, signed: 200 }, row);
      expect(brief(result)).to.deep.equal(['failed', 'inconclusive', undefined, 401, undefined]);
      expect(seen.map((one) => one.form)).to.deep.equal(['unsigned']);
    });
    it('keeps the cache and records inconclusive where nothing answers', async () => {
      const { result } = await refresh({ unsigned: broken }, row);
      expect(brief(result)).to.deep.equal(['failed', 'inconclusive', undefined, undefined, undefined]);
    });
    it('keeps the cache and records public where the document is readable but over 5 MiB', async () => {
      const { result } = await refresh({ unsigned: huge }, row);
      expect(brief(result)).to.deep.equal(['failed', 'public', undefined, 200, undefined]);
    });
  });

  it('keeps the evidence where the text turns out to be no OpenAPI 3 document', async () => {
    const swagger = (response: ServerResponse): void => void response.writeHead(200).end('swagger: "2.0"\npaths: {}\n');
    const { result } = await refresh({ signed: swagger, unsigned: 401, invalid: 401 });
    expect(brief(result)).to.deep.equal(['failed', 'protected', 200, 401, 401]);
    expect(result.is === 'failed' && result.says).to.match(/Swagger 2\.0.*line 1/);
    const bytes = (response: ServerResponse): void => void response.writeHead(200).end(Buffer.from([0x7b, 0xff, 0xfe]));
    const { result: second } = await refresh({ signed: bytes, unsigned: 401, invalid: 401 });
    expect(second.is === 'failed' && second.says).to.equal('The document is not UTF-8 text.');
  });

  it('refuses URLs that are not plain http or https', async () => {
    for (const spec_url of [undefined, 'file:///etc/passwd', 'http://user:pw@127.0.0.1/x', 'nonsense']) {
      const result = await openSource(spec_url === undefined ? {} : { spec_url }).refresh(new AbortController().signal);
      expect([result.is, result.probe], String(spec_url)).to.deep.equal(['failed', undefined]);
    }
  });
});

describe('references out of a document fetched by URL', () => {
  const body = (ref: string) =>
    document(
      `    post:\n      operationId: order_create\n      summary: Create an order\n      x-agent-capability: {version: 1, enabled: true, scope: order.create}\n      requestBody:\n        content:\n          application/json:\n            schema: {$ref: '${ref}'}\n`,
    );
  const serve =
    (texts: Readonly<Record<string, string>>, open: readonly string[] = []): Handler =>
    ({ form, target }, response) => {
      const text = texts[target];
      if (text === undefined) response.writeHead(404).end();
      else if (form === 'signed' || open.includes(target)) response.writeHead(200).end(text);
      else response.writeHead(401).end();
    };
  async function read(handler: Handler) {
    const business = await startBusiness(SECRET, handler);
    try {
      const source = openSource({ spec_url: `${business.url}/specs/tools.yaml` });
      return { result: await source.refresh(new AbortController().signal), source, seen: business.seen };
    } finally {
      await business.stop();
    }
  }

  it('are fetched from the same origin under the same policy, and joined into one document', async () => {
    const { result, source, seen } = await read(
      serve({
        '/specs/tools.yaml': body('common/schemas.yaml#/components/schemas/Order'),
        '/specs/common/schemas.yaml': `components:\n  schemas:\n    Order: {type: object, required: [total], properties: {total: {$ref: '#/components/schemas/Total'}, back: {$ref: '../more.json#/Back'}}}\n    Total: {type: number, description: Sum}\n`,
        '/specs/more.json': '{"Back":{"type":"string","description":"Reason"}}',
      }),
    );
    expect(result.is).to.equal('fresh');
    expect(seen.map((one) => `${one.form} ${one.target}`)).to.include.members([
      'unsigned /specs/common/schemas.yaml',
      'invalid /specs/more.json',
    ]);
    const tool = result.is === 'fresh' ? source.compile(result.document).drafts.find((draft) => draft.name === 'order_create') : undefined;
    expect(tool?.input).to.deep.include({
      properties: { total: { type: 'number', description: 'Sum' }, back: { type: 'string', description: 'Reason' } },
      required: ['total'],
    });
  });

  it('make the refresh fail where one of them is not protected as the policy expects', async () => {
    const texts = { '/specs/tools.yaml': body('x.yaml#/Order'), '/specs/x.yaml': 'Order: {type: object}' };
    const { result } = await read(serve(texts, ['/specs/x.yaml']));
    expect(brief(result).slice(0, 2)).to.deep.equal(['failed', 'public']);
    expect(result.probe?.reason).to.match(/^In a document it refers to/);
  });

  it('are not followed to another origin: what needs them is refused with its place', async () => {
    const { result, source, seen } = await read(serve({ '/specs/tools.yaml': body('http://127.0.0.1:9/x.yaml#/Order') }));
    expect(seen.every((one) => one.target === '/specs/tools.yaml')).to.equal(true);
    const report = result.is === 'fresh' ? source.compile(result.document) : undefined;
    expect(report?.drafts.map((draft) => draft.name)).to.deep.equal(['order_list']);
    expect(report?.operations[1]?.diagnostics.find((one) => one.severity === 'error')).to.include({ code: 'ref_external', line: 15 });
  });

  it('are counted: a chain without end fails the refresh', async () => {
    const { result, seen } = await read(({ form, target }, response) => {
      const next = Number(/(\d+)\.yaml$/.exec(target)?.[1] ?? 0) + 1;
      if (form === 'signed')
        response.writeHead(200).end(next === 1 ? body('n1.yaml') : `type: object\nproperties: {a: {$ref: 'n${next}.yaml'}}\n`);
      else response.writeHead(401).end();
    });
    expect(result.is === 'failed' && result.says).to.match(/more than 16 other documents/);
    expect(seen.length).to.equal(17 * 3);
  });
});

describe('an inline document', () => {
  it('is compiled as it is, without any request or probe', async () => {
    const source = openSource({ spec_source: 'inline', spec_json: document() });
    const result = await source.refresh(new AbortController().signal);
    expect(result).to.deep.equal({ is: 'fresh', document: document() });
    expect(source.compile(document()).drafts.map((draft) => draft.name)).to.deep.equal(['order_list']);
  });
  it('that is missing or wrong as a whole is a failure with its place', async () => {
    const read = (spec_json?: string) =>
      openSource({ spec_source: 'inline', ...(spec_json !== undefined && { spec_json }) }).refresh(new AbortController().signal);
    expect(await read()).to.include({ is: 'failed', code: 'BAILING_SPEC_UNREADABLE' });
    const result = await read('openapi: 3.1.0\npaths: [');
    expect(result.is === 'failed' && result.says).to.match(/not YAML.*\(line 2/);
  });
});
