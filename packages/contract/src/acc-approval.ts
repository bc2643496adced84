import { ACC_LIMITS, type AccCondition, type AccDeclaration, type AccOp } from './acc-declaration.js';
import { isRecord, lengthOf, type AccReader, type AccRecord } from './acc-reader.js';

const OPS: readonly string[] = ['exists', '>', '>=', '<', '<=', '==', '!=', 'in', 'contains'] satisfies AccOp[];
const NUMERIC: readonly string[] = ['>', '>=', '<', '<='];

type Approval = Pick<AccDeclaration, 'confirmRequired' | 'confirmWhen' | 'confirmPrompt'>;

/** Reads the `approval` group. Any bad condition refuses the tool: a condition that is left out is an approval that is lost. */
export function readApproval(approval: AccRecord, reader: AccReader): Approval {
  const prompt = readPrompt(approval, reader);
  return {
    confirmRequired: reader.flag(approval, '/approval', 'required'),
    confirmWhen: readConditions(approval, reader),
    ...(prompt !== undefined && { confirmPrompt: prompt }),
  };
}

function readPrompt(approval: AccRecord, reader: AccReader): string | undefined {
  const raw = reader.own(approval, 'prompt');
  if (raw === undefined) return undefined;
  if (typeof raw === 'string' && lengthOf(raw) <= ACC_LIMITS.prompt) return raw;
  const says = `approval.prompt is not a text of at most ${ACC_LIMITS.prompt} characters.`;
  reader.error('invalid_confirm_prompt', '/approval/prompt', says, 'Shorten the prompt.');
  return undefined;
}

function readConditions(approval: AccRecord, reader: AccReader): readonly AccCondition[] {
  const raw = reader.own(approval, 'when');
  if (raw === undefined) return [];
  if (!Array.isArray(raw)) {
    reader.error(
      'invalid_confirm_when',
      '/approval/when',
      'approval.when is not a list.',
      'Write a list of { param, op, value } conditions.',
    );
    return [];
  }
  if (raw.length > ACC_LIMITS.conditions) {
    const says = `approval.when has ${raw.length} conditions; at most ${ACC_LIMITS.conditions} are allowed, and none is dropped.`;
    reader.error('invalid_confirm_when', '/approval/when', says, 'Join conditions with `in`, or set `approval.required: true`.');
    return [];
  }
  return raw.flatMap((condition: unknown, i) => readCondition(condition, `/approval/when/${i}`, reader) ?? []);
}

function readCondition(raw: unknown, at: string, reader: AccReader): AccCondition | undefined {
  if (!isRecord(raw)) {
    reader.error('invalid_confirm_when', at, 'A condition of approval.when is not an object.', 'Write { param, op, value }.');
    return undefined;
  }
  const param = reader.own(raw, 'param');
  const op = reader.own(raw, 'op');
  const paramOk = typeof param === 'string' && param.trim() !== '' && lengthOf(param) <= ACC_LIMITS.conditionParam;
  const opOk = typeof op === 'string' && OPS.includes(op);
  if (!paramOk)
    reader.error(
      'invalid_confirm_when_param',
      `${at}/param`,
      `param is not the name of an argument (1 to ${ACC_LIMITS.conditionParam} characters).`,
      'Name an argument of the tool; a dot steps into an object.',
    );
  if (!opOk) reader.error('invalid_confirm_when_op', `${at}/op`, 'op is not a known comparison.', `Choose one of ${OPS.join(' ')}.`);
  const valueOk = opOk && checkValue(raw, op as AccOp, at, reader);
  const label = readLabel(raw, at, reader);
  if (!paramOk || !opOk || !valueOk) return undefined;
  return {
    param,
    op: op as AccOp,
    ...(op !== 'exists' && { value: reader.own(raw, 'value') }),
    ...(label !== undefined && { label }),
  };
}

function readLabel(raw: AccRecord, at: string, reader: AccReader): string | undefined {
  const label = reader.own(raw, 'label');
  if (label === undefined) return undefined;
  if (typeof label === 'string' && lengthOf(label) <= ACC_LIMITS.conditionLabel) return label;
  const says = `label is not a text of at most ${ACC_LIMITS.conditionLabel} characters.`;
  reader.error('invalid_confirm_when_label', `${at}/label`, says, 'Shorten the label.');
  return undefined;
}

/** What the operator alone says about its value; the match against the argument's type is the compiler's. */
function checkValue(raw: AccRecord, op: AccOp, at: string, reader: AccReader): boolean {
  const value = reader.own(raw, 'value');
  const wrong = (message: string, suggestion: string): false => {
    reader.error('invalid_confirm_when_value', `${at}/value`, message, suggestion);
    return false;
  };
  if (op === 'exists')
    return value === false
      ? wrong(
          'exists takes no value, and `value: false` would not negate it.',
          'Remove the value; exists matches when the argument is given.',
        )
      : true;
  if (value === undefined) return wrong(`${op} needs a value.`, 'Add the value to compare with.');
  if (!isFiniteJson(value))
    return wrong('value is too large, or holds a number that JSON cannot write.', 'Use a small value with finite numbers.');
  if (NUMERIC.includes(op) && typeof value !== 'number') return wrong(`${op} needs a number.`, 'Write the number without quotes.');
  if (op === 'in' && !(Array.isArray(value) && value.length > 0))
    return wrong('in needs a list with at least one value.', 'Write a list, such as [a, b].');
  return true;
}

/** Counts what it visits: a YAML document may share one node many times over. */
function isFiniteJson(value: unknown, left = { nodes: 1_000 }): boolean {
  if (left.nodes-- <= 0) return false;
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return true;
  return Object.values(value).every((v) => isFiniteJson(v, left));
}
