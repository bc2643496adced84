import { approvalErrors } from './approval.js';
import { callErrors } from './call.js';
import type { ErrorEntry } from './entry.js';
import { houseErrors } from './house.js';
import { jobErrors } from './job.js';
import { objectErrors } from './object.js';

export type { Blame, ErrorEntry, Retry } from './entry.js';

/** The one catalogue: code → status, blame, retry, what it says, what to do. Codes are stable; sentences may improve. */
export const errorCatalogue = Object.freeze({ ...callErrors, ...approvalErrors, ...jobErrors, ...houseErrors, ...objectErrors });
export type ErrorCode = keyof typeof errorCatalogue;

/**
 * An error of the catalogue. `detail` is a sentence about this one case and never holds a secret; `at` names the place
 * (a field path, `file:line`, a plugin id).
 */
export class BailingError extends Error {
  readonly code: ErrorCode;
  readonly detail: string | undefined;
  readonly at: string | undefined;

  constructor(code: ErrorCode, more: { detail?: string; at?: string; cause?: unknown } = {}) {
    const row: ErrorEntry = errorCatalogue[code];
    super(
      [more.at && `${more.at}:`, row.says, more.detail].filter(Boolean).join(' '),
      more.cause === undefined ? undefined : { cause: more.cause },
    );
    this.name = 'BailingError';
    this.code = code;
    this.detail = more.detail;
    this.at = more.at;
  }

  get entry(): ErrorEntry {
    return errorCatalogue[this.code];
  }
}
