import type * as contractPackage from '@bailing/contract';
import { readVectors, type VectorCase } from './vectors.js';

type Contract = typeof contractPackage;
type Input = VectorCase['input'];

const text = (input: Input, name: string): string => {
  const plain = input[name];
  if (typeof plain === 'string') return plain;
  const hex = input[`${name}Hex`];
  return typeof hex === 'string' ? Buffer.from(hex, 'hex').toString('utf8') : '';
};
const body = (input: Input): Buffer => Buffer.from(text(input, 'bodyHex'), 'hex');

function signedCall(input: Input): Parameters<Contract['signCall']>[1] {
  const [timestamp, method, target] = [text(input, 'timestamp'), text(input, 'method'), text(input, 'target')];
  return { timestamp, method, target, body: body(input), onBehalfOf: text(input, 'onBehalfOf'), jobId: text(input, 'jobId') };
}

/** Arguments as the hub's door reads them; what only the door refuses (repeated names, numbers that would be rounded) is plain JSON here. */
function readArguments(contract: Contract, json: string): unknown {
  const strict = contract.readStrictJson(json);
  if (!strict.ok && strict.code !== 'duplicate_key' && strict.code !== 'number_too_large') return null;
  return JSON.parse(json) as unknown;
}

function canonical(contract: Contract, item: VectorCase): string {
  const args = readArguments(contract, text(item.input, 'json'));
  if (args === null || typeof args !== 'object' || Array.isArray(args)) return 'invalid_arguments';
  const hash = contract.argsHash(args);
  if (item.kind === 'canonical') return `${contract.canonicalJson(args)}#${hash}`;
  const [tool, jobId, onBehalfOf] = [text(item.input, 'tool'), text(item.input, 'jobId'), text(item.input, 'onBehalfOf')];
  return `${hash}:${contract.idempotencyKey({ argsHash: hash, tool, jobId, onBehalfOf })}`;
}

function ticket(contract: Contract, { kind, input, now = 0 }: VectorCase): string {
  if (kind === 'sign') return contract.signTicket(text(input, 'token'), text(input, 'uid'), Number(input['exp']));
  const read = contract.readTicket(text(input, 'token'), text(input, 'ticket'), now);
  return read.ok ? `ok:${read.uid}` : read.reason;
}

function timedBody(contract: Contract, { kind, input, now = 0 }: VectorCase): string {
  const [secret, timestamp] = [text(input, 'secret'), text(input, 'timestamp')];
  if (kind === 'sign') return contract.signBody(secret, timestamp, body(input));
  return contract.bodyFailure(secret, timestamp, body(input), text(input, 'signature'), now) ?? 'ok';
}

function toolCall(contract: Contract, { kind, input, now = 0 }: VectorCase): string {
  const secret = text(input, 'secret');
  if (kind === 'sign') return contract.signCall(secret, signedCall(input));
  return contract.callFailure(secret, signedCall(input), text(input, 'signature'), now * 1000) ?? 'ok';
}

const GROUPS: Readonly<Record<string, (contract: Contract, item: VectorCase) => string>> = {
  'tool-call': toolCall,
  callback: timedBody,
  decision: timedBody,
  ticket,
  canonical,
};

function answer(contract: Contract, group: string, item: VectorCase): string {
  try {
    return GROUPS[group]?.(contract, item) ?? 'unknown_kind';
  } catch (error) {
    return `threw:${error instanceof Error ? error.name : typeof error}`;
  }
}

/** Answers the vectors of a folder with the hub's own contract package, or with the copy at `entry`. The report is a line of JSON. */
export async function hubReport(folder: string, entry = '@bailing/contract'): Promise<string> {
  const contract = (await import(entry)) as Contract;
  const results: Record<string, string> = {};
  for (const file of readVectors(folder)) {
    for (const item of file.cases) {
      if ((item.parties ?? file.parties).includes('hub')) results[item.id] = answer(contract, file.group, item);
    }
  }
  return JSON.stringify({ language: 'hub', version: process.version, total: Object.keys(results).length, results });
}
