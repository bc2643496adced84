import { applyOverlay, compileDocument } from '@bailing/openapi';
import { createHostRules, createHttpInvoker } from '@bailing/outbound';
import type { HttpBinding, SourceReport, Ticket, ToolDefinition, ToolDraft } from '@bailing/plugin-api';
import { createSchemaCheck } from '@bailing/schema';
import { expect } from 'chai';
import fc from 'fast-check';
import { argumentsFor } from '../support/arguments.js';
import { partOf, startJudgedBusiness, type Members } from '../support/openapi-validator.js';

const SECRET = 'round-trip-secret';
const NOTHING = '{"overlay":"1.0.0","actions":[{"target":"$.none","remove":true}]}';

/** Tools the public validator cannot judge, and why; their bytes and signatures are tested elsewhere. */
const UNJUDGED: Readonly<Record<string, string>> = {
  profile_update: 'its schema compiler refuses prefixItems without a length',
  styles_read: 'it does not know the styles label and matrix',
  item_read: 'it does not follow a reference to a name with a slash',
  unused: 'the document requires a path parameter that its path does not have',
  account_boss: 'its schema compiler refuses nullable without a type',
  regex: 'the document has a pattern that its schema compiler refuses',
  required: 'the document has a required that its schema compiler refuses',
  head_with_body: 'it asks for a content type of a request without a body',
  format: 'its schema compiler writes about unknown formats to the console',
  ping: 'the document writes an empty object as []',
};
/** Arguments the public validator does not read as OpenAPI writes them. */
const LEFT_OUT: Readonly<Record<string, readonly string[]>> = {
  link_send: ['colours', 'filter', 'meta'],
  styles_list: ['X-List'],
  cart_item_update: ['page[size]', 'include[]'],
};

interface TestDocument {
  readonly name: string;
  readonly text: string;
}
const { allDocuments } = (await import(new URL('../../../packages/openapi/dist/test-support/all-documents.js', import.meta.url).href)) as {
  allDocuments: () => TestDocument[];
};

/** A tool as the catalogue would make it, with only what sending needs. */
function toolOf(draft: ToolDraft<HttpBinding>): ToolDefinition<HttpBinding> {
  const common = {
    provider: 'p',
    scope: 's',
    description: '',
    risk: 'low',
    readonly: false,
    idempotent: false,
    sideEffecting: true,
  } as const;
  return {
    ...common,
    ...draft,
    requiresSubject: false,
    sensitive: false,
    confirmRequired: false,
    confirmWhen: [],
    timeoutMs: 0,
    fingerprint: '',
  };
}

/**
 * The document as the contract reads it where OpenAPI leaves a form open or a parameter out: an array without a style is comma-joined, a space of a
 * query is a plus (WIRE §6.1), and headers that the hub decides are no parameters.
 */
function withContractForms(document: Members, report: SourceReport<HttpBinding>): Members {
  const copy = structuredClone(document);
  const at = (pointer: string): Members =>
    pointer
      .slice(1)
      .split('/')
      .reduce<unknown>((here, token) => (here as Members)[token.replace(/~1/g, '/').replace(/~0/g, '~')], copy) as Members;
  const said = report.operations.flatMap((operation) => operation.diagnostics.map((one) => ({ ...one, tool: operation.tool })));
  for (const { code, pointer } of said) if (code === 'array_comma_joined') Object.assign(at(pointer), { style: 'form', explode: false });
  const ignored = new Set<unknown>(said.filter((one) => one.code === 'header_param_ignored').map((one) => at(one.pointer)));
  eachParameterList(copy, undefined, (list, tool) =>
    list
      .filter((one) => !ignored.has(one) && !LEFT_OUT[tool ?? '']?.includes(String(one['name'])))
      .map((one) => (one['in'] === 'query' ? { ...one, allowReserved: true } : one)),
  );
  return copy;
}

function eachParameterList(
  value: unknown,
  tool: string | undefined,
  change: (list: Members[], tool: string | undefined) => Members[],
): void {
  if (typeof value !== 'object' || value === null) return;
  const here = (value as Members)['operationId'];
  const inside = typeof here === 'string' ? here : tool;
  for (const [name, inner] of Object.entries(value)) {
    if (name === 'parameters' && Array.isArray(inner)) (value as Members)[name] = change(inner as Members[], inside);
    else eachParameterList(inner, inside, change);
  }
}

async function roundTrip({ name, text }: TestDocument, sample: number): Promise<{ sent: number; refused: string[] }> {
  const report = compileDocument(text);
  const overlaid = applyOverlay(text, NOTHING);
  if (!overlaid.ok) return { sent: 0, refused: [] };
  const document = withContractForms(JSON.parse(overlaid.text) as Members, report);
  // Its router knows neither query text nor other than ASCII letters in a path, nor servers of single operations.
  const plain = /^[\x21-\x3e\x40-\x7e]+$/;
  const judged = report.drafts.filter(
    (one) => UNJUDGED[one.name] === undefined && one.binding.prefix === undefined && plain.test(one.path),
  );
  const chosen = judged.filter((_, i) => judged.length < 60 || i % 10 === 0);
  const pointers = new Set(report.operations.flatMap((one) => (chosen.some((draft) => draft.name === one.tool) ? [one.pointer] : [])));
  const business = await startJudgedBusiness(partOf(document, pointers), SECRET);
  const invoker = createHttpInvoker({
    provider: { name: 'p', baseUrl: business.url, secret: SECRET, timeoutMs: 5_000 },
    hosts: createHostRules({ allowPrivateHosts: [new URL(business.url).host] }),
    clock: { now: () => Date.now() },
  });
  const room = createSchemaCheck();
  const refused: string[] = [];
  let sent = 0;
  try {
    for (const draft of chosen) {
      const check = room.compile(draft.input);
      const wanted = fc
        .sample(argumentsFor(draft.input), { numRuns: sample * 10, seed: 42 })
        .filter((args) => check(args).length === 0)
        .slice(0, sample);
      expect(wanted.length, `${name} ${draft.name}: no valid arguments`).to.be.greaterThan(0);
      for (const generated of wanted) {
        const args = Object.fromEntries(Object.entries(generated as Members).filter(([key]) => !LEFT_OUT[draft.name]?.includes(key)));
        const context = { job: 'job-1', client: 'c', subject: '用户:1', scope: 's' };
        const frozen = invoker.freeze(toolOf(draft), args, context);
        const ticket = { signAt: Date.now(), sendBy: Date.now() + 5_000 } as unknown as Ticket;
        const outcome = await invoker.send(frozen, ticket, context, AbortSignal.timeout(5_000));
        sent++;
        if (outcome.is !== 'answered' || outcome.answer.status !== 200)
          refused.push(
            `${name} ${draft.name} ${JSON.stringify(args)} → ${frozen.method} ${frozen.target} ${Buffer.from(frozen.body).toString()} → ${JSON.stringify(outcome)}`,
          );
      }
    }
  } finally {
    await invoker.close();
    await business.stop();
  }
  return { sent, refused };
}

describe('arguments made from the schemas of imported tools', () => {
  let judged = 0;
  for (const document of allDocuments()) {
    if (compileDocument(document.text).drafts.length === 0) continue;
    it(`become requests that a public OpenAPI validator accepts and whose signature holds: ${document.name}`, async function () {
      this.timeout(60_000);
      const { sent, refused } = await roundTrip(document, 2);
      judged += sent;
      expect(refused).to.deep.equal([]);
    });
  }
  it('were judged by the hundreds', () => {
    expect(judged).to.be.greaterThan(200);
  });
});
