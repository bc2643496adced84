// Answers every vector in a folder with this package and prints one JSON report. Usage: node vectors-run.mjs <folder>
// See ../vectors/README.md for the kinds and the report; comparing is the work of ../check.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import * as sdk from './dist/index.js';

const LANGUAGE = 'node';

/** An input as the SDK takes it: text as text, hex as bytes, absent as undefined. */
const given = (input, name) => (name in input ? input[name] : `${name}Hex` in input ? Buffer.from(input[`${name}Hex`], 'hex') : undefined);
const body = (input) => Buffer.from(input.bodyHex ?? '', 'hex');
const headerList = (list) => list.map((entry) => (Array.isArray(entry) ? entry : [entry.name, Buffer.from(entry.valueHex, 'hex')]));
const reason = (answer) => answer ?? 'ok';

const call = ({ input, now }) => ({
  method: given(input, 'method'),
  pathWithQuery: given(input, 'target'),
  body: body(input),
  timestamp: given(input, 'timestamp'),
  signature: given(input, 'signature'),
  onBehalfOf: given(input, 'onBehalfOf'),
  jobId: given(input, 'jobId'),
  windowSec: input.window,
  now,
});

const callback = ({ input, now }) => ({
  rawBody: body(input),
  timestamp: given(input, 'timestamp'),
  signature: given(input, 'signature'),
  windowMs: input.window,
  now,
});

const ANSWERS = { true: true, false: false, null: null, one: 1, text: 'true', object: {} };

function authorizer(how) {
  if (how === 'missing') return undefined;
  if (how === 'throws') {
    return () => {
      throw new Error('the business failed');
    };
  }
  if (typeof how === 'string') return () => ANSWERS[how];
  const wanted = sdk.canonicalJson([how.operator, how.tool, how.params]);
  return (operator, tool, params) => sdk.canonicalJson([operator, tool, params]) === wanted;
}

/** Runs `work`; an error of the stated class is the answer `word`. */
function orWord(Class, word, work) {
  try {
    return work();
  } catch (error) {
    if (error instanceof Class) return typeof word === 'function' ? word(error) : word;
    throw error;
  }
}

function specRequest({ input, now }) {
  const headers = ['timestamp', 'signature', 'onBehalfOf', 'jobId'].flatMap((name) => {
    const value = given(input, name);
    const wire = { timestamp: 'Timestamp', signature: 'Signature', onBehalfOf: 'On-Behalf-Of', jobId: 'Job-Id' }[name];
    return value === undefined ? [] : [[`X-Bailing-${wire}`, value]];
  });
  return { method: given(input, 'method'), target: given(input, 'target'), headers, body: body(input), now };
}

async function handle(item) {
  const answer = await sdk.SpecServer.handle(item.input.secret, specRequest(item), () => ({ openapi: '3.0.0' }));
  const said = JSON.parse(answer.body);
  return said.reason ? `${answer.status}:${said.reason}` : String(answer.status);
}

async function probe(item) {
  const { input } = item;
  const answer = await sdk.authzProbeResponse(input.secret, call(item), authorizer(input.authorize));
  return `${answer.status}:${answer.body.authorized}`;
}

async function gate({ input, now }) {
  const { secret, tool, pathParams, knownPath, basePath } = input;
  const request = { method: given(input, 'method'), target: given(input, 'target'), headers: headerList(input.headers), body: body(input) };
  const result = await sdk.gate(secret, authorizer(input.authorize), { ...request, tool, pathParams, knownPath, basePath, now });
  return result.ok ? String(result.code) : `${result.code}:${result.error}`;
}

function headerCase({ input, now }) {
  const { timestamp, signature, onBehalfOf, jobId } = sdk.readHeaders(headerList(input.headers));
  const target = given(input, 'target');
  return reason(
    sdk.failureReason(input.secret, {
      method: given(input, 'method'),
      pathWithQuery: target,
      body: body(input),
      timestamp,
      signature,
      onBehalfOf,
      jobId,
      now,
    }),
  );
}

function signedDecision({ input }) {
  return orWord(sdk.InvalidDecision, 'invalid_decision', () => {
    const signed = sdk.signDecision(input.secret, input.decision, { timestamp: input.timestamp });
    return `${createHash('sha256').update(signed.body).digest('hex')}:${signed.headers['x-bailing-signature']}`;
  });
}

function ticketCheck({ input, now }) {
  const bytes = given(input, 'ticket');
  const checked = sdk.verifyTicket(input.token, Buffer.isBuffer(bytes) ? bytes.toString('latin1') : bytes, { now });
  return checked.ok ? `ok:${checked.uid}` : checked.reason;
}

function canonical({ input }) {
  return orWord(sdk.InvalidArguments, 'invalid_arguments', () => {
    const args = sdk.parseArguments(input.json);
    return `${sdk.canonicalJson(args)}#${sdk.argsHash(args)}`;
  });
}

function key({ input }) {
  return orWord(sdk.InvalidArguments, 'invalid_arguments', () => {
    const args = sdk.parseArguments(input.json);
    const { tool, jobId, onBehalfOf } = input;
    return `${sdk.argsHash(args)}:${sdk.idempotencyKey({ tool, jobId, onBehalfOf, args })}`;
  });
}

function build({ input }) {
  return orWord(
    sdk.SpecError,
    (error) => `error:${error.code}`,
    () => {
      const options = {
        ...input.spec,
        tools: input.spec.tools.map((tool) =>
          sdk.tool({ ...tool, params: tool.params?.map(({ name, ...rest }) => sdk.param(name, rest)) }),
        ),
      };
      const warnings = sdk.specWarnings(options).map(({ code, tool }) => ({ code, tool }));
      return sdk.canonicalJson({ document: sdk.buildOpenApiSpec(options), warnings });
    },
  );
}

const signCall = (item) => sdk.signToolCall(item.input.secret, { ...call(item), ts: given(item.input, 'timestamp') });
const signTicket = ({ input }) =>
  orWord(sdk.InvalidUid, 'invalid_uid', () => sdk.signTicket(input.token, input.uid, { expiresAt: input.exp }));

const RUN = {
  'tool-call verify': (item) => reason(sdk.failureReason(item.input.secret, call(item))),
  'tool-call sign': signCall,
  'spec-fetch verify': (item) => reason(sdk.failureReason(item.input.secret, call(item))),
  'spec-fetch handle': handle,
  'spec-fetch headers': ({ input }) => sdk.canonicalJson(sdk.SpecServer.responseHeaders(input.secret)),
  'spec-fetch probe': probe,
  'callback verify': (item) => reason(sdk.callbackFailureReason(item.input.secret, callback(item))),
  'callback sign': ({ input }) => sdk.signCallback(input.secret, { timestamp: input.timestamp, rawBody: body(input) }),
  'decision verify': (item) => reason(sdk.decisionFailureReason(item.input.secret, callback(item))),
  'decision sign': signedDecision,
  'ticket sign': signTicket,
  'ticket check': ticketCheck,
  'canonical canonical': canonical,
  'canonical key': key,
  'header-parsing verify': headerCase,
  'gate gate': gate,
  'spec-builder build': build,
};

async function answer(group, item) {
  const run = RUN[`${group} ${item.kind}`];
  if (run === undefined) return 'unknown_kind';
  try {
    return String(await run(item));
  } catch (error) {
    return `threw:${error?.name ?? typeof error}`;
  }
}

const folder = process.argv[2];
const results = {};
for (const name of readdirSync(folder).sort()) {
  if (!name.endsWith('.json') || name === 'schema.json') continue;
  const file = JSON.parse(readFileSync(path.join(folder, name), 'utf8'));
  if (!file.parties.includes(LANGUAGE)) continue;
  for (const item of file.cases) results[item.id] = await answer(file.group, item);
}
process.stdout.write(JSON.stringify({ language: LANGUAGE, version: process.version, total: Object.keys(results).length, results }) + '\n');
