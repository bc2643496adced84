import { statement } from './statement.js';

export const holdDuty = statement<[holder: string, until: number, name: string, now: number, holder: string]>(
  'hold-duty',
  'UPDATE bz_duties SET holder = ?, until = ? WHERE name = ? AND (until <= ? OR holder = ?)',
);

export const insertDuty = statement<[name: string, holder: string, until: number]>(
  'insert-duty',
  'INSERT INTO bz_duties (name, holder, until) VALUES (?, ?, ?)',
);

export const dutyByName = statement<[name: string], { readonly holder: string; readonly until: number }>(
  'duty-by-name',
  'SELECT holder, until FROM bz_duties WHERE name = ?',
);
