import { isDay } from '../mentions/dates.js';
import type { Node } from './schema.js';
import { patternOf, typeOf } from './schema.js';

/**
 * Why a value does not fit a (resolved) schema node, as a short English phrase; undefined where it fits. The hub validates for real; this
 * keeps the planner from calling with what it could know to be wrong.
 */
export function misfit(value: unknown, node: Node): string | undefined {
  if (node.const !== undefined && value !== node.const) return `must be ${JSON.stringify(node.const)}`;
  if (Array.isArray(node.enum) && !node.enum.includes(value)) return `must be one of ${node.enum.map(String).join(', ')}`;
  switch (typeOf(node)) {
    case 'string':
      return typeof value === 'string' ? misfitText(value, node) : 'must be text';
    case 'integer':
    case 'number':
      return typeof value === 'number' && Number.isFinite(value) ? misfitNumber(value, node) : 'must be a number';
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'must be true or false';
    case 'array':
      return Array.isArray(value) ? misfitCount(value.length, node) : 'must be a list';
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value) ? undefined : 'must be an object';
    default:
      return undefined;
  }
}

function misfitText(value: string, node: Node): string | undefined {
  const length = [...value].length;
  if (typeof node.minLength === 'number' && length < node.minLength) return `must have at least ${String(node.minLength)} characters`;
  if (typeof node.maxLength === 'number' && length > node.maxLength) return `must have at most ${String(node.maxLength)} characters`;
  const pattern = patternOf(node);
  if (pattern && !pattern.test(value)) return `must look like ${pattern.source}`;
  if (node.format === 'date' && !isDay(value)) return 'must be a date';
  if (node.format === 'email' && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(value)) return 'must be an e-mail address';
  return undefined;
}

function misfitNumber(value: number, node: Node): string | undefined {
  if (typeOf(node) === 'integer' && !Number.isSafeInteger(value)) return 'must be a whole number';
  if (typeof node.minimum === 'number' && value < node.minimum) return `must be at least ${String(node.minimum)}`;
  if (typeof node.maximum === 'number' && value > node.maximum) return `must be at most ${String(node.maximum)}`;
  if (typeof node.exclusiveMinimum === 'number' && value <= node.exclusiveMinimum)
    return `must be more than ${String(node.exclusiveMinimum)}`;
  if (typeof node.exclusiveMaximum === 'number' && value >= node.exclusiveMaximum)
    return `must be less than ${String(node.exclusiveMaximum)}`;
  if (node.exclusiveMinimum === true && value === node.minimum) return `must be more than ${String(node.minimum)}`;
  if (
    typeof node.multipleOf === 'number' &&
    node.multipleOf > 0 &&
    Math.abs(value / node.multipleOf - Math.round(value / node.multipleOf)) > 1e-9
  ) {
    return `must be a multiple of ${String(node.multipleOf)}`;
  }
  return undefined;
}

function misfitCount(count: number, node: Node): string | undefined {
  if (typeof node.minItems === 'number' && count < node.minItems) return `must have at least ${String(node.minItems)} entries`;
  if (typeof node.maxItems === 'number' && count > node.maxItems) return `must have at most ${String(node.maxItems)} entries`;
  return undefined;
}
