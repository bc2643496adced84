import type { HttpBinding, ToolDefinition } from '@bailing/plugin-api';
import type { AuthzRecord } from '../ports/index.js';
import type { Revision } from './revision.js';

/** One request that a business should refuse (WIRE §4.5): nobody asks for something that needs somebody. */
export interface AuthzTarget {
  readonly mode: 'dedicated' | 'tool';
  readonly method: 'GET' | 'POST';
  /** As the document writes it, without parameters to fill. */
  readonly path: string;
  readonly prefix?: string;
  /** The scope that is named in the request. */
  readonly scope: string;
  readonly tool?: string;
  readonly requiresSubject: boolean;
}

/** What the business answered; null where nothing came. */
export type AuthzAnswer = { readonly status: number; readonly body: string } | null;

/** The endpoint a document dedicates to the probe, else a read that needs no arguments, best one that needs a subject. */
export function authzTarget({ report, tools }: Revision): AuthzTarget | null {
  if (report.probe) return { mode: 'dedicated', ...report.probe, scope: '__probe__.authz', requiresSubject: true };
  const reads = [...tools.values()].map(({ definition }) => definition).filter(needsNoArguments);
  const tool = reads.find(({ requiresSubject }) => requiresSubject) ?? reads[0];
  if (!tool) return null;
  const { path, prefix } = tool.binding as HttpBinding;
  const { name, scope, requiresSubject } = tool;
  return { mode: 'tool', method: 'GET', path, ...(prefix !== undefined && { prefix }), scope, tool: name, requiresSubject };
}

function needsNoArguments({ method, binding, input }: ToolDefinition): boolean {
  const { kind, path } = (binding ?? {}) as Partial<HttpBinding>;
  const required = typeof input === 'object' ? input['required'] : undefined;
  return method === 'GET' && kind === 'http' && path?.includes('{') === false && !(Array.isArray(required) && required.length > 0);
}

/** Reads the answer: a refusal is what was hoped for, an answer where a subject is needed is suspect, anything else settles nothing. */
export function authzRecord(target: AuthzTarget, answer: AuthzAnswer, at: string): AuthzRecord {
  const base = {
    mode: target.mode,
    ...(target.tool !== undefined && { tool: target.tool, requires_subject: target.requiresSubject }),
    ...(answer && { http: answer.status }),
    at,
  };
  if (!answer) return { status: 'inconclusive', ...base, reason: 'The request got no answer.' };
  if (answer.status === 401 || answer.status === 403) return { status: 'pass', ...base };
  if (answer.status < 200 || answer.status > 299)
    return { status: 'inconclusive', ...base, reason: `It answered ${String(answer.status)}, which neither admits nor refuses.` };
  return { ...(target.mode === 'dedicated' ? dedicated(answer.body) : read(target)), ...base };
}

const WORDS = ['authorized', 'allow', 'allowed', 'ok'] as const;

function dedicated(body: string): Pick<AuthzRecord, 'status' | 'reason'> {
  const said = parsed(body);
  const word = WORDS.find((name) => typeof said[name] === 'boolean');
  if (word === undefined) return { status: 'inconclusive', reason: 'Its answer says neither yes nor no.' };
  return said[word] === false
    ? { status: 'pass' }
    : { status: 'suspect', reason: `It says ${word}: true for a subject that does not exist.` };
}

function read({ requiresSubject }: AuthzTarget): Pick<AuthzRecord, 'status' | 'reason'> {
  return requiresSubject
    ? { status: 'suspect', reason: 'A read that needs a subject was answered for one that does not exist.' }
    : { status: 'inconclusive', reason: 'The read that was tried needs no subject, so its answer proves nothing.' };
}

function parsed(body: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(body);
    return value !== null && typeof value === 'object' ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
