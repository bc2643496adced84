import { type FaultKind, SqlFault } from './fault.js';

/** mysql2 names MariaDB's errors from MySQL's table, so numbers are what counts. */
const DUPLICATE = 1062;
/** Lock wait timeout, deadlock, record changed since last read, statement needs preparing again. */
const BUSY = new Set([1205, 1213, 1020, 1615]);
/** Server shutting down, killed, too many connections, access denied and the like: nothing on this connection works. */
const LOST = new Set([
  1040, 1044, 1045, 1049, 1053, 1077, 1078, 1079, 1080, 1129, 1152, 1158, 1159, 1160, 1161, 1184, 1203, 1317, 1927, 4031,
]);

/** A driver error without its message: messages of MySQL carry values. */
export function mysqlFault(
  error: { readonly code?: string; readonly errno?: number | undefined; readonly fatal?: boolean },
  statement: string,
): SqlFault {
  const reason =
    typeof error.errno === 'number' && error.errno > 0 ? `${error.code ?? 'error'} (${String(error.errno)})` : (error.code ?? 'error');
  return new SqlFault(kindOf(error), reason, statement);
}

function kindOf(error: { readonly code?: string; readonly errno?: number | undefined; readonly fatal?: boolean }): FaultKind {
  if (error.errno === DUPLICATE) return 'duplicate';
  if (error.errno !== undefined && BUSY.has(error.errno)) return 'busy';
  if (error.fatal === true || error.errno === undefined || error.errno < 1000 || LOST.has(error.errno)) return 'lost';
  return 'refused';
}
