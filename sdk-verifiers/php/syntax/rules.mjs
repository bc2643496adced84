import { createRequire } from 'node:module';
import { NEWER_CLASSES, NEWER_CONSTANTS, NEWER_FUNCTIONS, NEWER_TYPES } from './names.mjs';

const { Engine } = createRequire(import.meta.url)('php-parser');

const nameOf = (node) => (node && node.kind === 'name' ? String(node.name).replace(/^\\/, '').toLowerCase() : '');

/** What php-parser lets through although it is set to 7.2; each rule answers a sentence or nothing. */
const RULES = {
  uniontype: () => 'union types need 8.0',
  intersectiontype: () => 'intersection types need 8.1',
  typereference: (n) => (NEWER_TYPES.has(String(n.raw ?? n.name).toLowerCase()) ? `the type ${n.raw} is newer than 7.2` : ''),
  match: () => 'match needs 8.0',
  arrowfunc: () => 'arrow functions need 7.4',
  enum: () => 'enums need 8.1',
  nullsafepropertylookup: () => '?-> needs 8.0',
  namedargument: () => 'named arguments need 8.0',
  variadicplaceholder: () => 'first-class callables need 8.1',
  attrgroup: () => 'attributes need 8.0',
  property: (n) => (n.type || n.nullable ? 'typed properties need 7.4' : n.readonly ? 'readonly needs 8.1' : ''),
  parameter: (n) => (n.flags ? 'constructor promotion needs 8.0' : holds(n.value, 'new') ? 'new in an initialiser needs 8.1' : ''),
  class: (n) => (n.isReadonly ? 'readonly classes need 8.2' : ''),
  classconstant: (n) => (n.type ? 'typed constants need 8.3' : n.final ? 'final constants need 8.1' : ''),
  number: (n) => (/_|^0o/i.test(String(n.value)) ? `the number form ${n.value} is newer than 7.2` : ''),
  list: (n) => (n.items.some((item) => item?.byRef) ? 'references in destructuring need 7.3' : ''),
  array: (n) => (n.items.some((item) => item?.unpack || item?.kind === 'variadic') ? 'spread in arrays needs 7.4' : ''),
  assign: (n) => (n.operator === '??=' ? '??= needs 7.4' : ''),
  staticlookup: (n) => {
    const held = n.what?.kind !== 'name' && !KEYWORD_CLASS.has(n.what?.kind);
    if (held && n.offset?.kind === 'identifier' && n.offset.name === 'class') return '$object::class needs 8.0';
    return PLAIN_OFFSET.has(n.offset?.kind) ? '' : 'Class::{expression} is newer than 7.2';
  },
  new: (n) => {
    if (NEWER_CLASSES.has(nameOf(n.what))) return `the class ${n.what.name} is newer than 7.2`;
    return ['name', 'class', 'variable', 'propertylookup', 'staticlookup', 'offsetlookup'].includes(n.what?.kind) ||
      KEYWORD_CLASS.has(n.what?.kind)
      ? ''
      : 'new (expression) needs 8.0';
  },
  name: (n) => {
    const name = nameOf(n);
    if (NEWER_CLASSES.has(name)) return `the class ${n.name} is newer than 7.2`;
    return NEWER_CONSTANTS.has(name) ? `the constant ${n.name} is newer than 7.2` : '';
  },
  call: (n) => (NEWER_FUNCTIONS.has(nameOf(n.what)) ? `the function ${n.what.name} is newer than 7.2` : ''),
};
const PLAIN_OFFSET = new Set(['identifier', 'variable', 'constref']);
const KEYWORD_CLASS = new Set(['selfreference', 'staticreference', 'parentreference']);

function holds(node, kind) {
  if (!node || typeof node !== 'object') return false;
  return node.kind === kind || Object.values(node).some((value) => holds(value, kind));
}

function* nodes(node) {
  if (!node || typeof node !== 'object') return;
  if (typeof node.kind === 'string') yield node;
  for (const [key, value] of Object.entries(node)) {
    if (key !== 'loc' && key !== 'leadingComments' && key !== 'trailingComments') yield* nodes(value);
  }
}

/**
 * Every reason why a PHP text is not PHP 7.2, as "line N: reason"; an empty list means it is.
 * @param {string} code the whole file
 * @returns {string[]}
 */
export function newerThan72(code) {
  const engine = new Engine({ parser: { version: '7.2', extractDoc: true, suppressErrors: false }, ast: { withPositions: true } });
  let tree;
  try {
    tree = engine.parseCode(code, 'file.php');
  } catch (error) {
    return [`line ${error.lineNumber ?? 0}: ${error.message}`];
  }
  const found = [];
  for (const node of nodes(tree)) {
    const says = Object.hasOwn(RULES, node.kind) ? RULES[node.kind](node) : '';
    if (says) found.push(`line ${node.loc?.start?.line ?? 0}: ${says}`);
  }
  for (const comment of tree.comments ?? []) {
    // in 7.2 an attribute is a comment that runs to the end of the line, so the parser has nothing to say about it
    if (comment.value.startsWith('#[')) found.push(`line ${comment.loc?.start?.line ?? 0}: attributes need 8.0`);
  }
  return [...new Set(found)];
}
