import { ChannelFailure, definePlugin, points, services } from '@bailing/plugin-api';

const CONFIG = {
  type: 'object',
  properties: {
    url: { type: 'string', pattern: '^https?://' },
    token: { type: 'string', minLength: 8, writeOnly: true },
    page_chars: { type: 'integer', minimum: 10, maximum: 500, default: 120 },
  },
  required: ['url', 'token'],
  additionalProperties: false,
};

export default definePlugin({
  id: 'channel-pager',
  needs: { http: services.http },
  provides: (add) => [
    add(points.channel, 'pager', ({ services: { http } }) => ({ row: CONFIG, open: (row) => openPager(row.config, http) })),
  ],
});

function openPager(config, http) {
  return {
    // Everything that reaches nobody: look at the message, split it. A throw here means that nothing was sent.
    prepare: async ({ recipients, text, card, images, files }) => {
      if (images.length + files.length > 0) throw new ChannelFailure('a pager shows no files', false);
      const pages = split(card ? `${text} ${card.title} ${card.url}`.trim() : text, config.page_chars);
      return pages.map((page, n) => ({ says: `page ${n + 1} of ${pages.length}`, body: { to: recipients, page } }));
    },
    // One page, once. Say what is known, and nothing more.
    deliver: async ({ body: page }, context) => {
      const request = {
        method: 'POST',
        url: config.url,
        headers: { authorization: `Bearer ${config.token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ ...page, key: context.key }),
      };
      try {
        return sentBy(await http.request(request, context.signal));
      } catch (error) {
        if (error.code === 'BAILING_OUTBOUND_NOT_CONNECTED') return { is: 'refused', why: 'the pager gateway is not there', later: true };
        return { is: 'unknown', why: 'the pager gateway was lost before it answered' };
      }
    },
  };
}

function sentBy({ status, body }) {
  if (status === 202) return { is: 'accepted', refused: JSON.parse(new TextDecoder().decode(body)).unknown ?? [] };
  if (status === 429 || status === 503) return { is: 'refused', why: 'the pager gateway is busy', later: true };
  // Only a plain no is one: another 2xx, a redirect, a 408 or a 5xx may come after the page was taken.
  const no = status >= 400 && status < 500 && status !== 408;
  return { is: no ? 'refused' : 'unknown', why: `the pager gateway answered ${status}` };
}

/** At most `max` characters a page, never half of one. */
function split(text, max) {
  const pages = [];
  let page = '';
  for (const letter of text) {
    if (page.length + letter.length > max) (pages.push(page), (page = ''));
    page += letter;
  }
  return [...pages, page];
}
