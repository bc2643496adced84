export type MediaKind = 'json' | 'form' | 'multipart';

const TYPE = /^([A-Za-z0-9!#$&^_.+*-]+)\/([A-Za-z0-9!#$&^_.+*-]+)$/;

/** The base of a media type in lower case without parameters; undefined where it is malformed. */
export function mediaBase(type: string): string | undefined {
  const base = (type.split(';', 1)[0] ?? '').trim().toLowerCase();
  return TYPE.test(base) ? base : undefined;
}

/** How a body of this type is written; undefined for types the hub cannot write. Ranges that include JSON count as JSON. */
export function mediaKind(base: string): MediaKind | undefined {
  if (base === 'application/json' || base === '*/*' || base === 'application/*') return 'json';
  if (base.startsWith('application/') && base.endsWith('+json')) return 'json';
  if (base === 'application/x-www-form-urlencoded') return 'form';
  return base === 'multipart/form-data' ? 'multipart' : undefined;
}

/** Plain JSON first, then its relatives, then forms: the order in which a body's media types are preferred. */
export function mediaRank(base: string): number {
  if (base === 'application/json') return 0;
  const kind = mediaKind(base);
  if (kind === 'json') return base.includes('*') ? 2 : 1;
  return kind === 'form' ? 3 : 4;
}
