import { readAcc, type AccDeclaration } from '@bailing/contract';
import type { JsonSchema, ToolDraft } from '@bailing/plugin-api';
import { note, type Note } from '../notes.js';
import { isMembers, type Members } from '../values.js';

const CJK = /[\u3400-\u9fff\uf900-\ufaff]/;
/** Sentences that fit any interface and so tell none apart. */
const GENERIC =
  /^(?:(?:接口|列表|查询|新增|编辑|修改|删除|详情|提交)*(?:接口|列表|查询|新增|编辑|修改|删除|详情|提交)|(?:get|list|create|update|delete|post|put|patch|api|endpoint|todo|test|string)s?)[.。!！]?$/i;
const BATCH = /batch|bulk|\bmass\b|批量|群发|全部|\bmany\b/i;
const RAW = /^(?:sql|raw_?(?:sql|query|filter)|where|where_?clause|statement|expression|script|dsl)$/i;
const FREE = /^(?:filters?|conditions?|criteria|query|search|where|selector|predicate)$/i;

/** Where in the document a draft's operation stands. */
export interface Placed {
  readonly draft: ToolDraft;
  readonly pointer: string;
}

/** The remarks of a reviewer on one tool. */
export function lintTool({ draft, pointer }: Placed): Note[] {
  const acc = readAcc(draft.acc, draft.method).acc;
  if (!acc) return [];
  const capability = `${pointer}/x-agent-capability`;
  return [...lintWords(draft, acc, pointer), ...lintRisk(draft, acc, capability), ...lintBatch(draft, acc, pointer)];
}

/** The first sentence is all that a catalogue shows of a tool. */
export function firstSentence(says: string): string {
  return (/^[^。！？\n]*?(?:[。！？\n]|[.!?](?=\s|$)|$)/.exec(says)?.[0] ?? says).replace(/[。.!！?？\s]+$/, '').trim();
}

function lintWords(draft: ToolDraft, acc: AccDeclaration, pointer: string): Note[] {
  const sentence = firstSentence(draft.says);
  const short = CJK.test(sentence) ? sentence.length < 6 : sentence.length < 12 || sentence.split(/\s+/).length < 3;
  if (!short && !GENERIC.test(sentence) && sentence !== acc.scope) return [];
  return [
    note(
      'warning',
      'poor_first_sentence',
      pointer,
      `The first sentence (${JSON.stringify(sentence)}) hardly tells a model what the tool does.`,
      'Say the action and its object in one sentence: “Query the staff of a store”, not “List”.',
    ),
  ];
}

function lintRisk(draft: ToolDraft, acc: AccDeclaration, pointer: string): Note[] {
  const notes: Note[] = [];
  if (!acc.readonly && !acc.riskDeclared)
    notes.push(
      note(
        'warning',
        'write_without_risk',
        pointer,
        'The tool writes and declares no risk, so it counts as medium and is not held.',
        'Declare `risk: { level: low | medium | high }`.',
      ),
    );
  if (acc.risk === 'high' && !acc.subjectRequired)
    notes.push(
      note(
        'warning',
        'high_risk_without_subject',
        pointer,
        'The tool is of high risk and may be called for nobody in particular.',
        'Declare `subject: { required: true }`.',
      ),
    );
  if (acc.readonly && ['DELETE', 'PUT', 'PATCH'].includes(draft.method))
    notes.push(
      note(
        'warning',
        'readonly_on_write_method',
        pointer,
        `A ${draft.method} is declared read-only, so it is neither journalled nor protected from being sent again.`,
        'Remove execution.readonly unless the operation really changes nothing.',
      ),
    );
  return notes;
}

function lintBatch(draft: ToolDraft, acc: AccDeclaration, pointer: string): Note[] {
  if (acc.readonly) return [];
  const batch = BATCH.test(`${draft.name} ${draft.path} ${acc.scope} ${draft.says}`);
  const notes = argumentsOf(draft.input).flatMap(([name, schema]): Note[] => {
    if (RAW.test(name) && isFreeText(schema))
      return [
        note(
          'warning',
          'raw_query_text',
          pointer,
          `The argument ${JSON.stringify(name)} takes raw query text, which lets a model write the query.`,
          'Take named arguments with enums instead.',
        ),
      ];
    if (batch && FREE.test(name) && (isFreeText(schema) || isFreeObject(schema)))
      return [
        note(
          'warning',
          'free_filter',
          pointer,
          `The batch tool takes a free filter in ${JSON.stringify(name)}, which may reach more than was meant.`,
          'Describe the filter’s members with enums and limits, and let the business count what it reaches first.',
        ),
      ];
    return [];
  });
  if (batch && acc.risk !== 'high' && !acc.confirmRequired && acc.confirmWhen.length === 0)
    notes.push(
      note(
        'warning',
        'batch_without_approval',
        `${pointer}/x-agent-capability`,
        'The batch tool is never held, however much it reaches.',
        'Declare a high risk, or `approval: { when: … }` on the count or the amount.',
      ),
    );
  return notes;
}

function argumentsOf(input: JsonSchema): [string, Members][] {
  const properties = isMembers(input) ? input['properties'] : undefined;
  return isMembers(properties)
    ? Object.entries(properties).flatMap(([name, schema]): [string, Members][] => (isMembers(schema) ? [[name, schema]] : []))
    : [];
}

function isFreeText(schema: Members): boolean {
  return (
    [schema['type']].flat().includes('string') &&
    schema['enum'] === undefined &&
    schema['const'] === undefined &&
    schema['pattern'] === undefined
  );
}

function isFreeObject(schema: Members): boolean {
  const open =
    schema['properties'] === undefined || (schema['additionalProperties'] !== undefined && schema['additionalProperties'] !== false);
  return [schema['type']].flat().includes('object') && open && schema['$ref'] === undefined;
}
