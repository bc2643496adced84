import { statement } from './statement.js';

export const setStop = statement<[what: string, by: string, at: number]>('set-stop', {
  sqlite: 'INSERT INTO bz_stops (what, set_by, at) VALUES (?, ?, ?) ON CONFLICT (what) DO NOTHING',
  mysql: 'INSERT INTO bz_stops (what, set_by, at) VALUES (?, ?, ?) ON DUPLICATE KEY UPDATE what = what',
});
export const clearStop = statement<[what: string]>('clear-stop', 'DELETE FROM bz_stops WHERE what = ?');
export const stopsSet = statement<[limit: number], { readonly what: string; readonly set_by: string; readonly at: number }>(
  'stops-set',
  'SELECT what, set_by, at FROM bz_stops ORDER BY at, what LIMIT ?',
);
export const stopIsSet = statement<[what: string], { readonly set_by: string }>(
  'stop-is-set',
  'SELECT set_by FROM bz_stops WHERE what = ?',
);
