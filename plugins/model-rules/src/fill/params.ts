import type { ModelTool } from '@bailing/plugin-api';
import { terms } from '../words/tokens.js';
import type { Node } from './schema.js';
import { isNode, resolve, stringsOf, textOf, typeOf } from './schema.js';

/** What a parameter is for, as far as its name and description tell. */
export type Role = 'reason' | 'note' | 'message' | 'query' | 'title' | 'person' | 'place' | 'identifier' | 'date' | 'money' | 'plain';

/** One leaf of a tool's arguments. */
export interface Param {
  /** Where the value goes; `[]` stands for the first entry of a list of objects. */
  readonly path: readonly string[];
  /** Only a holder of other parameters, listed because it must be there. */
  readonly holds: boolean;
  readonly name: string;
  readonly says: string;
  readonly node: Node;
  readonly type: string;
  readonly required: boolean;
  /** Required inside its own object, which may itself be left out. */
  readonly needed: boolean;
  readonly role: Role;
  /** Comparable words of the name, and of name and description together. */
  readonly nameTerms: ReadonlySet<string>;
  readonly allTerms: ReadonlySet<string>;
  /** The schema of the entries, for lists of plain values. */
  readonly items?: Node;
}

const MAX_PARAMS = 60;

export function paramsOf(tool: ModelTool): Param[] {
  const root = isNode(tool.parameters) ? tool.parameters : {};
  const out: Param[] = [];
  collect(resolve(root, root), { root, path: [], required: true, needed: true, out });
  return out;
}

interface Walk {
  readonly root: Node;
  readonly path: readonly string[];
  readonly required: boolean;
  readonly needed: boolean;
  readonly out: Param[];
}

function collect(node: Node, walk: Walk): void {
  const properties = isNode(node.properties) ? node.properties : {};
  const required = new Set(stringsOf(node.required));
  for (const [name, raw] of Object.entries(properties)) {
    if (walk.out.length >= MAX_PARAMS) return;
    const child = resolve(raw, walk.root);
    const needed = required.has(name);
    const next: Walk = { ...walk, path: [...walk.path, name], required: walk.required && needed, needed };
    const items = typeOf(child) === 'array' ? resolve(child.items, walk.root) : undefined;
    const inside = next.path.length >= 5 ? undefined : insideOf(child, items);
    if (inside) collect(inside, { ...next, path: typeOf(child) === 'array' ? [...next.path, '[]'] : next.path });
    if (!inside || next.required) walk.out.push({ ...paramOf(name, child, next, items), holds: inside !== undefined });
  }
}

/** The object inside which leaves are found: the value itself, or the entries of a list. */
function insideOf(child: Node, items: Node | undefined): Node | undefined {
  if (typeOf(child) === 'object') return isNode(child.properties) ? child : undefined;
  return items && typeOf(items) === 'object' && isNode(items.properties) ? items : undefined;
}

function paramOf(name: string, node: Node, walk: Walk, items: Node | undefined): Param {
  const says = `${textOf(node.title)} ${textOf(node.description)}`.trim();
  const nameTerms = terms(name);
  const allTerms = new Set([...nameTerms, ...terms(says.slice(0, 200))]);
  const type = typeOf(node);
  const role = roleOf(name, says, nameTerms, allTerms, node, type);
  return {
    path: walk.path,
    holds: false,
    name,
    says,
    node,
    type,
    required: walk.required,
    needed: walk.needed,
    role,
    nameTerms,
    allTerms,
    ...(items && { items }),
  };
}

export const PEOPLE = [
  't:guest',
  't:person',
  't:author',
  't:customer',
  't:member',
  't:user',
  't:employee',
  't:patient',
  't:doctor',
  't:student',
  't:supplier',
];

const ROLES: readonly (readonly [Role, readonly string[]])[] = [
  ['reason', ['t:reason']],
  ['note', ['t:note']],
  ['message', ['t:message']],
  ['money', ['t:amount', 't:price', 't:payment', 'a:pay', 'a:refund']],
  ['date', ['t:date', 't:time', 'a:checkin', 'a:checkout']],
  ['title', ['t:subject']],
  ['person', ['t:name', ...PEOPLE]],
  ['place', ['t:city', 't:place', 't:address']],
];

function roleOf(name: string, says: string, nameTerms: ReadonlySet<string>, allTerms: ReadonlySet<string>, node: Node, type: string): Role {
  if (node.format === 'date' || node.format === 'date-time') return 'date';
  if (/^(q|query|keywords?|search|search_?term|term|text_?query)$/i.test(name)) return 'query';
  if (/(^|_)(id|no|code|number|sku|isbn|key|uid|ref)$|(Id|No|Code|Number|Key|Ref)$/.test(name)) return 'identifier';
  for (const of of [nameTerms, allTerms]) {
    for (const [role, concepts] of ROLES) {
      if (role === 'money' && type === 'string') continue;
      // "Service name" names no person.
      if (role === 'person' && of === allTerms && !PEOPLE.some((concept) => allTerms.has(concept))) continue;
      if (concepts.some((concept) => of.has(concept))) return role;
    }
    if (type === 'string' && of.has('t:number')) return 'identifier';
  }
  return /关键|keyword/i.test(says) ? 'query' : 'plain';
}

/** Whether this is a place for a sentence. */
export function isProse(param: Param): boolean {
  return (
    param.type === 'string' &&
    !Array.isArray(param.node.enum) &&
    (param.role === 'reason' || param.role === 'note' || param.role === 'message')
  );
}
