import type { Ms } from '@bailing/engine/ports';
import type { Reader } from '../dialects/dialect.js';
import { toBailingError } from '../dialects/fault.js';
import type { Lanes } from '../lane/lanes.js';
import type { Statement, Value } from '../statements/statement.js';
import type { Streaks } from './streaks.js';
import type { Trouble } from './trouble.js';

/** What the parts of one store share. */
export interface House {
  readonly lanes: Lanes;
  readonly reader: Reader;
  readonly now: () => Ms;
  readonly streaks: Streaks;
  readonly evidence: EvidenceCount;
  readonly trouble: Trouble;
}

/** Audit lines that could not be written where nobody could be told. */
export class EvidenceCount {
  failures = 0;
  lastAt: Ms | null = null;

  failed(at: Ms): void {
    this.failures += 1;
    this.lastAt = at;
  }
}

/** A read whose failure is an error of the catalogue. */
export async function read<P extends readonly Value[], Row>(
  house: House,
  statement: Statement<P, Row>,
  params: P,
): Promise<readonly Row[]> {
  try {
    return await house.reader.read(statement, params);
  } catch (error) {
    throw toBailingError(error);
  }
}

/** A unit that met another process halfway looks again, this often; each round somebody else has made progress. */
export const ROUNDS = 5;
