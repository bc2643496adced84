import { BailingError } from '@bailing/plugin-api';

export type StoreUrl = { readonly is: 'sqlite'; readonly file: string } | { readonly is: 'mysql'; readonly uri: string };

export const MEMORY = ':memory:';

/** `sqlite:<path>`, `sqlite::memory:` or `mysql://user:pass@host:port/database` (`mariadb://` reads the same). The URL never enters an error. */
export function parseStoreUrl(url: string): StoreUrl {
  if (url.startsWith('sqlite:')) {
    const file = url.slice('sqlite:'.length).replace(/^\/\/(?=\/)/, '');
    if (file === '') throw refuse('`sqlite:` needs a path, for example `sqlite:./.bailing/hub.db`.');
    return { is: 'sqlite', file };
  }
  if (!/^(mysql|mariadb):\/\//.test(url)) throw refuse('It starts with `sqlite:` or `mysql://`.');
  if (!URL.canParse(url)) throw refuse('It has the form `mysql://user:password@host:port/database`.');
  const parsed = new URL(url);
  if (parsed.pathname.length < 2) throw refuse('A `mysql://` URL names the database after the host.');
  return { is: 'mysql', uri: url.replace(/^mariadb:/, 'mysql:') };
}

function refuse(detail: string): BailingError {
  return new BailingError('BAILING_CONFIG_INVALID', { at: 'store.url', detail });
}
