import type { Verdict } from '@bailing/engine';
import type { Approval } from '@bailing/engine/ports';
import { BailingError } from '@bailing/plugin-api';

type Members = Readonly<Record<string, unknown>>;

const KIND = 'tool_approval_decision';
const SCHEMA = 'bailing.approval-decision.v1';
const DECISION_ID = /^[A-Za-z0-9_.:-]{1,128}$/;
const APPROVER_CHARS = 64;
const COMMENT_CHARS = 1_000;

/**
 * Reads both forms of a decision (WIRE §9.4): a matching member that is present must match, `decision` and `approver` are always needed, and without
 * a `decision_id` a stable one is derived later.
 * @throws BailingError BAILING_REQUEST_MALFORMED; `at` is the member
 */
export function readDecision(body: unknown, approval: Approval): Verdict {
  if (body === null || typeof body !== 'object' || Array.isArray(body)) throw malformed('body', 'The body must be a JSON object.');
  const members = body as Members;
  same(members, 'kind', KIND);
  same(members, 'schema_version', SCHEMA);
  sameId(members, approval.id);
  same(members, 'job_id', approval.job);
  same(members, 'request_id', approval.requestId);
  same(members, 'args_hash', approval.argsHash);
  const decisionId = decisionIdOf(members);
  const read = { verdict: verdictOf(members), approver: approverOf(members), comment: commentOf(members) };
  return decisionId === undefined ? read : { ...read, decisionId };
}

function same(members: Members, name: string, expected: string): void {
  const value = members[name];
  if (value !== undefined && value !== expected) throw malformed(name, `${name} does not match this approval.`);
}

function sameId(members: Members, id: number): void {
  const value = members['approval_id'];
  if (value === undefined || value === id || value === String(id)) return;
  throw malformed('approval_id', 'approval_id does not match this approval.');
}

function verdictOf(members: Members): Verdict['verdict'] {
  const value = members['decision'];
  const word = typeof value === 'string' ? value.trim().toLowerCase() : '';
  if (word === 'approved' || word === 'denied') return word;
  throw malformed('decision', 'decision must be "approved" or "denied".');
}

function decisionIdOf(members: Members): string | undefined {
  const value = members['decision_id'];
  if (value === undefined) return undefined;
  if (typeof value === 'string' && DECISION_ID.test(value)) return value;
  throw malformed('decision_id', 'decision_id must be 1 to 128 of the characters A-Z a-z 0-9 _ . : -');
}

function approverOf(members: Members): string {
  const value = members['approver'] ?? members['operator'];
  if (typeof value === 'string' && value.trim() !== '') return value.trim().slice(0, APPROVER_CHARS).toWellFormed();
  throw malformed('approver', 'approver must name who decided, as a string.');
}

function commentOf(members: Members): string {
  const value = members['comment'];
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value.slice(0, COMMENT_CHARS).toWellFormed();
  throw malformed('comment', 'comment must be a string.');
}

function malformed(at: string, detail: string): BailingError {
  return new BailingError('BAILING_REQUEST_MALFORMED', { at, detail });
}
