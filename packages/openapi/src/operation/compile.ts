import { checkConditions, readAcc, type AccReading } from '@bailing/contract';
import type { HttpBinding, OperationReport, ToolDraft } from '@bailing/plugin-api';
import type { Context, OperationPlace } from '../context.js';
import { Notes, quote } from '../notes.js';
import { at } from '../pointer.js';
import { own } from '../values.js';
import { nameArguments, type Argument, type NamedArguments } from './argument.js';
import { bodyBinding, readBody, type BodyPlan } from './body.js';
import { CAPABILITY } from './collect.js';
import { describe, extensionsOf, warnOfNearMisses } from './description.js';
import { inputSchema } from './input.js';
import { checkName, type NameCensus, type Naming } from './names.js';
import { readParameters } from './parameters.js';
import { checkPath, serverPrefix } from './path.js';

/** An operation whose declaration and name have been read; everything else waits for the names of all. */
export interface Candidate {
  readonly place: OperationPlace;
  readonly reading: AccReading | undefined;
  readonly naming: Naming;
}

export interface Compiled {
  readonly report: OperationReport;
  readonly draft?: ToolDraft<HttpBinding>;
}

/** What became of one operation, and the draft where it became a tool. */
export function compileOperation(context: Context, candidate: Candidate, census: NameCensus): Compiled {
  const { place, reading } = candidate;
  const notes = new Notes();
  warnOfNearMisses(place, notes);
  for (const problem of reading?.problems ?? [])
    notes.add({ ...problem, pointer: at(place.operationPointer, CAPABILITY) + problem.pointer });
  if (!reading || (!reading.enabled && !notes.failed)) return { report: report(place, 'not_declared', notes) };
  if (!reading.enabled) return { report: report(place, 'refused', notes) };
  const draft = place.inbound ? refuseInbound(place, notes) : draftOf(context, candidate, census, notes);
  if (!draft) return { report: report(place, 'refused', notes) };
  const warned = notes.list.some((one) => one.severity === 'warning');
  return { report: { ...report(place, warned ? 'imported_with_warnings' : 'imported', notes), tool: draft.name }, draft };
}

function report(place: OperationPlace, outcome: OperationReport['outcome'], notes: Notes): OperationReport {
  return { pointer: place.pointer, method: place.method.toUpperCase(), path: place.path, outcome, diagnostics: notes.list };
}

function refuseInbound(place: OperationPlace, notes: Notes): undefined {
  notes.error(
    'not_callable',
    place.operationPointer,
    'A webhook or callback is called by the business, not by the hub.',
    'Declare the capability on an operation under paths.',
  );
}

function draftOf(context: Context, candidate: Candidate, census: NameCensus, notes: Notes): ToolDraft<HttpBinding> | undefined {
  const { place, reading, naming } = candidate;
  checkState(context, place, notes);
  checkName(place, naming, census, notes);
  checkPath(place, notes);
  const prefix = serverPrefix(context, place, notes);
  const body = readBody(context, place, notes);
  const args = nameArguments([...readParameters(context, place, notes), ...body.args], place.operationPointer, notes);
  checkSomethingDeclared(place, args, body, notes);
  const input = inputSchema(context, args, body, place.operationPointer, notes);
  const acc = reading?.acc;
  if (!acc || notes.failed) return undefined;
  for (const problem of checkConditions(acc.confirmWhen, input))
    notes.add({ ...problem, pointer: at(place.operationPointer, CAPABILITY) + problem.pointer });
  const says = describe(place, acc, notes);
  const extensions = extensionsOf(place.operation);
  if (notes.failed) return undefined;
  return {
    name: naming.name,
    method: place.method.toUpperCase(),
    path: place.path,
    acc: place.operation[CAPABILITY],
    input,
    binding: bindingOf(place, args, body, prefix),
    says,
    ...(extensions && { extensions }),
  };
}

const SENDABLE = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch']);

function checkState(context: Context, place: OperationPlace, notes: Notes): void {
  const { operation, operationPointer } = place;
  if (own(operation, 'deprecated') === true)
    notes.error(
      'deprecated',
      at(operationPointer, 'deprecated'),
      'The operation is deprecated.',
      'Declare its successor, or remove deprecated.',
    );
  if (!SENDABLE.has(place.method.toLowerCase()))
    notes.error(
      'invalid_method',
      operationPointer,
      `The hub does not send ${quote(place.method.toUpperCase())} requests.`,
      'Use GET, POST, PUT, PATCH, DELETE, HEAD or OPTIONS.',
    );
  for (const member of context.source.duplicates) {
    const above = [place.pointer, operationPointer].some((p) => member === p || p.startsWith(`${member}/`));
    const inside = member.startsWith(`${operationPointer}/`);
    if (above || inside)
      notes.error('duplicate_key', member, 'The member is written twice, and only one of them can be read.', 'Keep one of them.');
  }
}

/** WIRE §4.6 rule 7: a write of which nothing is described is not exposed. */
function checkSomethingDeclared(place: OperationPlace, args: NamedArguments, body: BodyPlan, notes: Notes): void {
  if (notes.failed || place.method.toLowerCase() === 'get' || args.size > 0 || body.declared) return;
  notes.error(
    'write_without_schema',
    place.operationPointer,
    'The operation describes neither parameters nor a body.',
    'Describe the body; `{ type: object }` is enough where there is nothing to send.',
  );
}

function bindingOf(place: OperationPlace, args: NamedArguments, body: BodyPlan, prefix: string | undefined): HttpBinding {
  const nameOf = (wanted: Argument): string | undefined => [...args].find(([, arg]) => arg === wanted)?.[0];
  const content = bodyBinding(body, nameOf);
  return {
    kind: 'http',
    method: place.method.toUpperCase(),
    path: place.path,
    args: Object.fromEntries([...args].map(([name, arg]) => [name, arg.http])),
    ...(content && { body: content }),
    ...(prefix !== undefined && { prefix }),
  };
}

/** Reads the declaration of an operation, where it has one. */
export function readCapability(place: OperationPlace): AccReading | undefined {
  const value = own(place.operation, CAPABILITY);
  return value === undefined ? undefined : readAcc(value, place.method);
}
