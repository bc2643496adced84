/** A stretch of a clause that is somebody's sentence, not an instruction. */
export interface Prose {
  readonly kind: 'reason' | 'message';
  readonly text: string;
  /** The stretch with its marker. */
  readonly start: number;
  readonly end: number;
}

const REASON =
  /(?:[,，]\s*)?(?:\bbecause(?:\s+of)?\b|\bdue to\b|\bon the grounds (?:that|of)\b|\bthe reason (?:is|being)(?: that)?\b|\breason\s*[:=]|因为|由于|(?:原因|理由|事由|缘由)\s*(?:是|为|：|:|=)+)\s*/i;
const MESSAGE =
  /(?:[,，]\s*)?(?:\bsaying(?:\s+that)?\b|\bthat says\b|\bwith the (?:text|words?|message)\b|\btelling (?:him|her|them)(?: that)?\b|(?:内容|正文|消息)\s*(?:是|为|：|:|=)+|说[：:])\s*/i;

/** Reasons and messages that a clause states in its own words. A reason in front ends at its comma, one behind at the end of the clause. */
export function proseIn(clause: string): Prose[] {
  return [find(clause, REASON, 'reason'), find(clause, MESSAGE, 'message')].filter((one) => one !== undefined).slice(0, 1);
}

function find(clause: string, marker: RegExp, kind: Prose['kind']): Prose | undefined {
  const match = marker.exec(clause);
  if (!match) return undefined;
  const from = match.index + match[0].length;
  const inFront = match.index <= 2;
  const comma = inFront ? clause.slice(from).search(/[,，]/) : endOfReason(clause.slice(from));
  const end = comma < 0 ? clause.length : from + comma;
  const text = tidy(clause.slice(from, end));
  return text === '' ? undefined : { kind, text, start: match.index, end };
}

/** A reason in the middle ends where a labelled value or a plea begins: `原因是破损，金额300元`, `…，请提交申请`. */
function endOfReason(rest: string): number {
  return rest.search(
    /[,，]\s*(?:请|麻烦|帮我|谢谢|(?:please|kindly|thanks|thank you)\b|(?:the\s+)?[a-z]+\s+(?:is\s+)?[\w$€£¥-]*\d|[\p{Script=Han}]{1,6}\s*[：:是为]?\s*[A-Za-z¥￥$]{0,4}-?\d)/iu,
  );
}

/** Without wrapping quotes, outer blanks and the closing mark of a sentence. */
export function tidy(text: string): string {
  return text
    .trim()
    .replace(/^["'“「『]+|["'”」』]+$/g, '')
    .replace(/[\s。.!！,，;；]+$/u, '')
    .trim();
}

/** The clause with prose blanked, places kept. */
export function withoutProse(clause: string, prose: readonly Prose[]): string {
  return prose.reduce((text, { start, end }) => text.slice(0, start) + ' '.repeat(end - start) + text.slice(end), clause);
}
