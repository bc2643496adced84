import { BailingError } from '@bailing/plugin-api';
import type { Reader } from '../dialects/dialect.js';
import { toBailingError } from '../dialects/fault.js';
import { openForReading } from '../open-store.js';
import { ledgerTables } from '../statements/audit-reads.js';

/**
 * Walks the ledger of a database and closes it afterwards.
 * @throws BailingError BAILING_LEDGER_MISSING where its tables are not there, else what the store says
 */
export async function* withLedger<Step, End>(
  url: string,
  walk: (reader: Reader) => AsyncGenerator<Step, End, undefined>,
): AsyncGenerator<Step, End, undefined> {
  // Opened as it is: migrating would make an empty ledger where there is none, and evidence is looked at, not changed.
  const database = await openForReading(url);
  try {
    if ((await database.reader.read(ledgerTables, [])).length < 2) throw new BailingError('BAILING_LEDGER_MISSING');
    return yield* walk(database.reader);
  } catch (error) {
    throw toBailingError(error);
  } finally {
    await database.close();
  }
}
