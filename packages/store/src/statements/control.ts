import { statement } from './statement.js';

/** The only transaction words of this package; they are used by the lane, by units and by the migrator. */
export const begin = statement<[]>('begin', { sqlite: 'BEGIN IMMEDIATE', mysql: 'START TRANSACTION' });
export const commit = statement<[]>('commit', 'COMMIT');
export const rollback = statement<[]>('rollback', 'ROLLBACK');

export const savepoint = statement<[]>('savepoint', 'SAVEPOINT unit');
export const rollbackToSavepoint = statement<[]>('rollback-to-savepoint', {
  sqlite: 'ROLLBACK TO unit',
  mysql: 'ROLLBACK TO SAVEPOINT unit',
});
/** SQLite stacks savepoints of one name; MySQL replaces the older one, so there is nothing to release. */
export const releaseSavepoint = statement<[]>('release-savepoint', { sqlite: 'RELEASE unit', mysql: '' });

/** Around one audit line that may fail without taking its unit along. */
export const lineSavepoint = statement<[]>('line-savepoint', 'SAVEPOINT line');
export const rollbackToLine = statement<[]>('rollback-to-line', { sqlite: 'ROLLBACK TO line', mysql: 'ROLLBACK TO SAVEPOINT line' });
