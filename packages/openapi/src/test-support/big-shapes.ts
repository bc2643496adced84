/** Pieces of which big documents are made. */
export type Members = Record<string, unknown>;
export const times = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));
export const merged = (list: readonly Members[]): Members => Object.assign({}, ...list) as Members;
export const document = (paths: Members, components: Members = {}, version = '3.0.3', more: Members = {}): Members => ({
  openapi: version,
  info: { title: 'Big', version: '1' },
  paths,
  components,
  ...more,
});
export const idParameter: Members = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'Number',
  schema: { type: 'string', pattern: '^[a-z0-9]+$' },
};
export const ok: Members = { responses: { '200': { description: 'OK' } } };
export const low: Members = { risk: { level: 'low' } };
