import type { SourceReport } from '@bailing/plugin-api';
import type { OperationPlace } from '../context.js';
import type { Notes } from '../notes.js';
import type { Source } from '../source.js';
import { isMembers, own } from '../values.js';

const ROOT = 'x-bailing-authz-probe';
const MAX_PATH = 512;
// eslint-disable-next-line no-control-regex -- control characters are what a request line cannot carry
const UNFIT = /[\u0000-\u0020#{}\\\u007f]|(?:^|\/)\.{1,2}(?:[/?]|$)/;

/** The dedicated authorisation probe (WIRE §4.5): declared at the root, else the first operation that is flagged. */
export function findProbe(source: Source, operations: readonly OperationPlace[], notes: Notes): SourceReport['probe'] | undefined {
  const declared = own(source.root, ROOT);
  if (declared !== undefined) {
    const probe = rootProbe(declared);
    if (!probe)
      notes.warn(
        'invalid_authz_probe',
        `/${ROOT}`,
        `${ROOT} is not { method, path } with GET or POST and a path from /.`,
        'Write { method: POST, path: /authz-probe }.',
      );
    return probe;
  }
  const flagged = operations.find((one) => !one.inbound && own(one.operation, ROOT) === true);
  if (!flagged) return undefined;
  const probe = rootProbe({ method: flagged.method, path: flagged.path });
  if (!probe)
    notes.warn(
      'invalid_authz_probe',
      `${flagged.operationPointer}/${ROOT}`,
      'The flagged operation cannot be probed: it must be a GET or POST without placeholders.',
      'Flag another operation.',
    );
  return probe;
}

function rootProbe(value: unknown): SourceReport['probe'] | undefined {
  if (!isMembers(value)) return undefined;
  const method = own(value, 'method') ?? 'POST';
  const path = own(value, 'path');
  const upper = typeof method === 'string' ? method.toUpperCase() : '';
  if ((upper !== 'GET' && upper !== 'POST') || typeof path !== 'string') return undefined;
  if (!path.startsWith('/') || path.startsWith('//') || path.length > MAX_PATH || UNFIT.test(path)) return undefined;
  return { method: upper, path };
}
