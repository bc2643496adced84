import { control } from './statement.js';

/** The only transaction words of this package; they are used by the lane, by units and by the migrator. */
export const begin = control('begin', { sqlite: 'BEGIN IMMEDIATE', mysql: 'START TRANSACTION' });
export const commit = control('commit', 'COMMIT');
export const rollback = control('rollback', 'ROLLBACK');

export const savepoint = control('savepoint', 'SAVEPOINT unit');
export const rollbackToSavepoint = control('rollback-to-savepoint', {
  sqlite: 'ROLLBACK TO unit',
  mysql: 'ROLLBACK TO SAVEPOINT unit',
});
/** SQLite stacks savepoints of one name; MySQL replaces the older one, so there is nothing to release. */
export const releaseSavepoint = control('release-savepoint', { sqlite: 'RELEASE unit', mysql: '' });

/** Around one audit line that may fail without taking its unit along. */
export const lineSavepoint = control('line-savepoint', 'SAVEPOINT line');
export const rollbackToLine = control('rollback-to-line', { sqlite: 'ROLLBACK TO line', mysql: 'ROLLBACK TO SAVEPOINT line' });
