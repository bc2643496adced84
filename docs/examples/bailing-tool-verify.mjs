#!/usr/bin/env node
// Verify a signed tool call in one file: Node 18 or later, nothing else. Copy it, change authorize(), keep the rest.
//
//   node bailing-tool-verify.mjs                            checks itself against the shared vectors
//   BAILING_SECRET=... node bailing-tool-verify.mjs 8080    serves; everything is denied until you change authorize()
//
// The rules are in sdk-verifiers/SIGNING.md. Tickets, the tool document, framework doors and more are in sdk-verifiers/node.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const MAX_BODY_BYTES = 1_048_576;

/**
 * YOUR decision: may this acting user call this tool with these parameters?
 * A signature says who is asking, never that he may. Only `true` lets the call in. This one denies everything.
 */
export async function authorize(/* operator, tool, params */) {
  return false;
}

const latin = (text) => Buffer.from(text, 'latin1');
const DOT = latin('.');
const joined = (...parts) => Buffer.concat(parts.flatMap((part, at) => (at === 0 ? [part] : [DOT, part])));
const none = Buffer.alloc(0);

/** timestamp.METHOD.target.sha256(body).subject.job, all bytes; of the method only a to z change case. */
function stringToSign(call) {
  const method = latin(call.method.toString('latin1').replace(/[a-z]/g, (letter) => letter.toUpperCase()));
  const hash = latin(createHash('sha256').update(call.body).digest('hex'));
  return joined(call.timestamp ?? none, method, call.target, hash, call.subject ?? none, call.job ?? none);
}

/** null when the message is rightly signed, else timestamp_out_of_window (tested first) or bad_signature. */
function failureReason(secret, message, { timestamp, signature }, now, window) {
  const at = timestamp?.toString('latin1') ?? '';
  if (!/^[0-9]{1,15}$/.test(at) || !(Math.abs(now - Number(at)) < window)) return 'timestamp_out_of_window';
  const given = signature?.toString('latin1') ?? '';
  if (!secret || !/^sha256=[0-9a-f]{64}$/.test(given)) return 'bad_signature';
  const right = createHmac('sha256', secret).update(message).digest();
  return timingSafeEqual(right, Buffer.from(given.slice(7), 'hex')) ? null : 'bad_signature';
}

/** Seconds. All members of `call` are Buffers as they came, or null for a missing header. */
export function toolCallFailure(secret, call, now = Math.floor(Date.now() / 1000), window = 300) {
  return failureReason(secret, stringToSign(call), call, now, window);
}

/** Milliseconds. Callbacks and webhooks of the hub. */
export function callbackFailure(secret, call, now = Date.now(), window = 300_000) {
  return failureReason(secret, joined(call.timestamp ?? none, call.body), call, now, window);
}

/** The four signed headers from Node's rawHeaders. Of a header that came twice it cannot be told which was signed: it is refused. */
function readHeaders(rawHeaders) {
  const call = { timestamp: null, signature: null, subject: null, job: null };
  const names = {
    'x-bailing-timestamp': 'timestamp',
    'x-bailing-signature': 'signature',
    'x-bailing-on-behalf-of': 'subject',
    'x-bailing-job-id': 'job',
  };
  const seen = new Set();
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const part = names[rawHeaders[i].toLowerCase()];
    if (part === undefined) continue;
    if (seen.has(part)) call.repeated = true;
    if (seen.has(part) && part === 'timestamp') call.twice = true;
    seen.add(part);
    call[part] = latin(rawHeaders[i + 1].replace(/^[ \t]+|[ \t]+$/g, ''));
  }
  if (call.repeated) call.signature = null;
  if (call.twice) call.timestamp = null;
  return call;
}

const strictUtf8 = (bytes) => new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);

/** Form decoding without guesses: a lone % or bytes beyond UTF-8 are an error. */
function decoded(text) {
  if (/%(?![0-9A-Fa-f]{2})/.test(text)) throw new TypeError('a lone percent sign');
  const hex = (_, digits) => String.fromCharCode(parseInt(digits, 16));
  return strictUtf8(latin(text.replaceAll('+', ' ').replace(/%([0-9A-Fa-f]{2})/g, hex)));
}

/** What the handler will act on: query, and the JSON object of the body unless it is a GET. Throws when in doubt. */
function paramsOf(call) {
  const mark = call.target.indexOf('?');
  const query = mark < 0 ? '' : call.target.subarray(mark + 1).toString('latin1');
  const params = Object.create(null);
  const put = (name, value) => {
    if (name in params) throw new TypeError('a name given twice');
    params[name] = value;
  };
  for (const piece of query.split('&').filter(Boolean)) {
    const at = piece.indexOf('=');
    put(decoded(at < 0 ? piece : piece.slice(0, at)), at < 0 ? '' : decoded(piece.slice(at + 1)));
  }
  if (call.body.length > 0 && !/^(GET|HEAD)$/i.test(call.method.toString('latin1'))) {
    const body = JSON.parse(strictUtf8(call.body));
    if (typeof body !== 'object' || body === null || Array.isArray(body)) throw new TypeError('the body is no object');
    for (const name of Object.keys(body)) put(name, body[name]);
  }
  return params;
}

/** Verifies, then authorises; fails closed. `{code: 200, params}`, or 401 or 403 with the word of the refusal. */
export async function gate(secret, authorizer, tool, call, now) {
  const reason = toolCallFailure(secret, call, now);
  if (reason !== null) return { code: 401, error: reason };
  let operator;
  let params;
  try {
    operator = strictUtf8(call.subject ?? none);
    if ((call.job ?? none).includes('.')) throw new TypeError('a dot in the job id');
  } catch {
    return { code: 401, error: 'bad_signature' };
  }
  if (typeof authorizer !== 'function') return { code: 403, error: 'authorize_missing' };
  try {
    params = paramsOf(call);
  } catch {
    return { code: 403, error: 'bad_parameters' };
  }
  try {
    return (await authorizer(operator, tool, params)) === true ? { code: 200, operator, params } : { code: 403, error: 'not_authorized' };
  } catch {
    return { code: 403, error: 'authorize_failed' };
  }
}

/** The raw bytes of the body, gathered as bytes; null when there are too many. */
function readBody(request) {
  return new Promise((resolve, reject) => {
    const chunks = [];
    let size = 0;
    request.on('error', reject).on('end', () => resolve(Buffer.concat(chunks)));
    request.on('data', (chunk) => {
      size += chunk.length;
      if (size <= MAX_BODY_BYTES) chunks.push(chunk);
      else resolve(null);
    });
  });
}

async function serve(request, response) {
  const body = await readBody(request);
  const call = { ...readHeaders(request.rawHeaders), method: latin(request.method), target: latin(request.url), body };
  const secret = process.env.BAILING_SECRET ?? '';
  const { code, error } = body === null ? { code: 413, error: 'body_too_large' } : await gate(secret, authorize, 'your_tool', call);
  // here, at code 200, your action runs, with the params of the gate
  const close = body === null ? { connection: 'close' } : {};
  response.writeHead(code, { 'content-type': 'application/json; charset=utf-8', ...close });
  response.end(JSON.stringify(error ? { error } : { ok: true }));
}

/** A vector's input as this file takes it. */
function callOf({ input }) {
  const wire = (name) => (`${name}Hex` in input ? Buffer.from(input[`${name}Hex`], 'hex') : name in input ? latin(input[name]) : null);
  const flat = (input.headers ?? []).flatMap((h) => (Array.isArray(h) ? h : [h.name, Buffer.from(h.valueHex, 'hex').toString('latin1')]));
  const parts = { timestamp: wire('timestamp'), signature: wire('signature'), subject: wire('onBehalfOf'), job: wire('jobId') };
  const call = input.headers ? readHeaders(flat) : parts;
  return { ...call, method: wire('method'), target: wire('target'), body: Buffer.from(input.bodyHex, 'hex') };
}

const same = (a, b) => JSON.stringify(a, (_, v) => v ?? null) === JSON.stringify(b, (_, v) => v ?? null);
const ANSWERS = { true: true, false: false, null: null, one: 1, text: 'true', object: {} };

function authorizerOf(how) {
  if (how === 'missing') return null;
  if (how === 'throws') return () => Promise.reject(new Error('no database'));
  if (typeof how === 'string') return () => ANSWERS[how];
  const sorted = (map) => Object.entries(map).sort();
  return (operator, tool, params) => operator === how.operator && tool === how.tool && same(sorted(params), sorted(how.params));
}

/** What this file answers to a vector of tool-call.json, callback.json or gate.json. */
async function answerVector(group, item) {
  const { kind, input, now } = item;
  const call = callOf(item);
  if (group === 'gate') {
    const { code, error } = await gate(input.secret, authorizerOf(input.authorize), input.tool, call, now);
    return error ? `${code}:${error}` : String(code);
  }
  const message = group === 'callback' ? joined(call.timestamp ?? none, call.body) : stringToSign(call);
  if (kind === 'sign') return 'sha256=' + createHmac('sha256', input.secret).update(message).digest('hex');
  const check = group === 'callback' ? callbackFailure : toolCallFailure;
  return check(input.secret, call, now, input.window) ?? 'ok';
}

/** This file has no prefixes, no path parameters and no depth limit: the vectors about those are the SDK's. */
const isMine = ({ id, input }) => !input.basePath && !input.knownPath && !input.pathParams && !/deep$|surrogate$/.test(id);

async function check(folder) {
  const wrong = [];
  let count = 0;
  for (const group of ['tool-call', 'callback', 'gate']) {
    const file = JSON.parse(readFileSync(path.join(folder, `${group}.json`), 'utf8'));
    if (file.cases.length !== file.count) wrong.push(`${group}.json is not complete`);
    for (const item of file.cases.filter(isMine)) {
      count += 1;
      if ((await answerVector(group, item)) !== item.expected.result) wrong.push(item.id);
    }
  }
  const frozen = JSON.parse(readFileSync(path.join(folder, 'tool-call.json'), 'utf8')).cases.find(
    ({ id }) => id === 'tool-call/frozen-post',
  );
  const denied = await gate(frozen.input.secret, authorize, 'your_tool', callOf(frozen), frozen.now);
  if (denied.error !== 'not_authorized') wrong.push('the authorize of this file must deny until you change it');
  process.stdout.write(wrong.length > 0 ? `wrong: ${wrong.join(', ')}\n` : `${count} vectors and the gate: right\n`);
  process.exitCode = wrong.length > 0 ? 1 : 0;
}

const here = fileURLToPath(import.meta.url);
if (process.argv[1] && existsSync(process.argv[1]) && path.resolve(process.argv[1]) === here) {
  const [given] = process.argv.slice(2);
  if (/^[0-9]+$/.test(given ?? ''))
    createServer((request, response) => void serve(request, response).catch(() => response.destroy())).listen(Number(given), '127.0.0.1');
  else await check(given ?? path.join(path.dirname(here), '..', '..', 'sdk-verifiers', 'vectors'));
}
