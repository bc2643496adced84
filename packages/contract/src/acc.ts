import type { AccDeclaration, AccReading } from './acc-declaration.js';
import { accReader, isRecord, type AccReader } from './acc-reader.js';
import { readApproval } from './acc-approval.js';
import { readGuidance, readOutcome, readRateLimit, readRisk, readScope, readTimeout } from './acc-fields.js';

export * from './acc-declaration.js';

/**
 * Reads an `x-agent-capability` value (WIRE §5). Pure, never throws, ignores unknown members. Only the literal `true` of a
 * boolean counts, and anything else written where a boolean belongs is an error: `"true"` for `approval.required` must not
 * quietly mean no approval.
 *
 * @param value the declaration as parsed from the document
 * @param method the operation's HTTP method in any letter case; GET means read-only and idempotent
 */
export function readAcc(value: unknown, method: string): AccReading {
  const reader = accReader();
  if (!isRecord(value)) {
    reader.error(
      'invalid_agent_capability',
      '',
      'x-agent-capability is not an object.',
      'Write it as an object: { version: 1, enabled: true, scope: … }.',
    );
    return { enabled: false, acc: null, problems: reader.problems };
  }
  if (reader.own(value, 'enabled') !== true) {
    if (![undefined, false].includes(reader.own(value, 'enabled') as undefined | false))
      reader.warn(
        'invalid_boolean',
        '/enabled',
        'enabled is not the literal true, so the operation stays off.',
        'Write `enabled: true` without quotes.',
      );
    return { enabled: false, acc: null, problems: reader.problems };
  }
  readVersion(value, reader);
  const acc = readFields(value, method, reader);
  const broken = reader.problems.some((p) => p.severity === 'error');
  return { enabled: true, acc: broken ? null : acc, problems: reader.problems };
}

function readVersion(value: Readonly<Record<string, unknown>>, reader: AccReader): void {
  const version = reader.own(value, 'version');
  if (version === 1) return;
  const says = version === undefined ? 'x-agent-capability has no version.' : 'x-agent-capability has a version other than 1.';
  reader.error('invalid_schema_version', version === undefined ? '' : '/version', says, 'Add the line `version: 1` to x-agent-capability.');
}

function readFields(value: Readonly<Record<string, unknown>>, method: string, reader: AccReader): AccDeclaration {
  const get = method.toUpperCase() === 'GET';
  const execution = reader.group(value, 'execution');
  const readonly = get || reader.flag(execution, '/execution', 'readonly');
  const idempotent = get || reader.flag(execution, '/execution', 'idempotent');
  const declaredRisk = readRisk(value, reader);
  const approval = readApproval(reader.group(value, 'approval'), reader);
  const rateLimit = readRateLimit(execution, reader);
  const outcome = readOutcome(value, reader);
  return {
    version: 1,
    scope: readScope(value, reader),
    risk: declaredRisk ?? (readonly ? 'low' : 'medium'),
    riskDeclared: declaredRisk !== undefined,
    subjectRequired: reader.flag(reader.group(value, 'subject'), '/subject', 'required'),
    readonly,
    idempotent,
    sideEffecting: !readonly && !idempotent,
    ...approval,
    timeoutMs: readTimeout(execution, reader),
    ...(rateLimit && { rateLimit }),
    sensitive: reader.flag(reader.group(value, 'audit'), '/audit', 'sensitive'),
    ...(outcome && { outcome }),
    guidance: readGuidance(reader.group(value, 'guidance'), reader),
  };
}
