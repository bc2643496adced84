import { definePlugin, points, services, type Channel, type Http } from '@bailing/plugin-api';

const CONFIG = {
  type: 'object',
  properties: { url: { type: 'string' }, token: { type: 'string', writeOnly: true }, page_chars: { type: 'integer', default: 10 } },
  required: ['url', 'token'],
  additionalProperties: false,
} as const;

interface Sheet {
  readonly to: readonly string[];
  readonly page: string;
}

/** A channel whose messages go out in pages, for tests that end a process between two of them; it speaks as the example for pagers does. */
export const channelPagesPlugin = definePlugin({
  id: 'channel-pages',
  needs: { http: services.http },
  provides: (add) => [
    add(points.channel, 'pages', ({ services: { http } }) => ({
      row: CONFIG,
      open: ({ config }) => openPages(config as { url: string; token: string; page_chars: number }, http),
    })),
  ],
});

function openPages({ url, token, page_chars: max }: { url: string; token: string; page_chars: number }, http: Http): Channel<Sheet> {
  return {
    prepare: ({ recipients, text }) => {
      const pages = text.match(new RegExp(`.{1,${String(max)}}`, 'gs')) ?? [];
      return Promise.resolve(pages.map((page, n) => ({ says: `page ${String(n + 1)}`, body: { to: recipients, page } })));
    },
    deliver: async ({ body }, { key, signal }) => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const answer = await http.request({ method: 'POST', url, headers, body: JSON.stringify({ ...body, key }) }, signal);
      if (answer.status !== 202) return { is: 'refused', why: `the gateway answered ${String(answer.status)}` };
      const { unknown } = JSON.parse(Buffer.from(answer.body).toString('utf8')) as { readonly unknown: readonly string[] };
      return { is: 'accepted', refused: unknown };
    },
  };
}
