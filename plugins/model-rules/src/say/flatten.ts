const MAX_LINES = 40;
const MAX_TEXT = 200;

/** JSON as lines a person reads: `name: value`, entries of lists numbered, deeper members with their path. Bounded. */
export function flatten(body: unknown): string[] {
  const lines: string[] = [];
  visit(unwrap(body), '', lines, 0);
  return lines.length > MAX_LINES ? [...lines.slice(0, MAX_LINES), `… (${String(lines.length - MAX_LINES)})`] : lines;
}

/** Envelopes like `{ ok: true, data: … }` or `{ order: … }` say nothing to a reader. */
function unwrap(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  const members = Object.entries(body).filter(
    ([key, value]) => !(['ok', 'success'].includes(key) && value === true) && !(key === 'code' && value === 0),
  );
  const [only] = members;
  // One member that is an object or a list is the thing itself.
  const inner = members.length === 1 && only && typeof only[1] === 'object' && only[1] !== null;
  return inner ? unwrap(only[1]) : Object.fromEntries(members);
}

function visit(value: unknown, path: string, lines: string[], depth: number): void {
  if (lines.length > 10 * MAX_LINES) return;
  if (Array.isArray(value)) return list(value, path, lines, depth);
  if (typeof value !== 'object' || value === null) return void lines.push(path === '' ? scalar(value) : `${path}: ${scalar(value)}`);
  for (const [key, one] of Object.entries(value)) visit(one, path === '' ? key : `${path}.${key}`, lines, depth + 1);
}

function list(values: readonly unknown[], path: string, lines: string[], depth: number): void {
  if (values.every((one) => typeof one !== 'object' || one === null)) {
    lines.push(`${path === '' ? '' : `${path}: `}${values.length === 0 ? '[]' : values.map(scalar).join(', ')}`);
    return;
  }
  if (path !== '') lines.push(`${path}:`);
  values.forEach((one, index) => lines.push(`${String(index + 1)}. ${depth > 4 ? scalar(JSON.stringify(one)) : inline(one)}`));
}

/** One entry of a list in one line. */
function inline(value: unknown): string {
  const lines: string[] = [];
  visit(value, '', lines, 5);
  return lines.slice(0, 12).join(', ');
}

function scalar(value: unknown): string {
  const text =
    typeof value === 'string' ? value.replace(/\s+/g, ' ').trim() : value === null || value === undefined ? '-' : JSON.stringify(value);
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
}
