/** Elements whose content is no text for readers. */
const SILENT = new Set(['script', 'style', 'template', 'noscript', 'svg', 'head']);
/** Elements that end a line. */
const BLOCKS = new Set('p div br li ul ol tr table section article header footer h1 h2 h3 h4 h5 h6 blockquote pre dd dt hr'.split(' '));
const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

/** The readable text of HTML in one pass: no tags, no scripts, one line per block. It is for reading, not for showing: nothing of it is safe as HTML. */
export function htmlText(html: string): string {
  const title = /<title[^>]{0,200}>([^<]{0,500})/i.exec(html.slice(0, 20_000))?.[1]?.trim() ?? '';
  let text = title === '' ? '' : `${title}\n`;
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf('<', at);
    if (open === -1) return tidy(text + html.slice(at));
    text += html.slice(at, open);
    const { to, says } = tagAt(html, open);
    text += says;
    at = to;
  }
  return tidy(text);
}

/** What stands at a `<`: where it ends, and what it leaves in the text. */
function tagAt(html: string, open: number): { readonly to: number; readonly says: string } {
  if (!/[a-z/!?]/i.test(html[open + 1] ?? '')) return { to: open + 1, says: '<' };
  if (html.startsWith('<!--', open)) return { to: after(html, '-->', open + 4), says: '' };
  const tag = /^<\/?([a-z][a-z0-9]*)/i.exec(html.slice(open, open + 40));
  if (!tag && html[open + 1] !== '!' && html[open + 1] !== '?') return { to: open + 1, says: '<' };
  const name = tag?.[1]?.toLowerCase() ?? '';
  const end = after(html, '>', open);
  const opens = html[open + 1] !== '/';
  if (SILENT.has(name) && opens) return { to: closing(html, name, end), says: '' };
  if (name === 'td' || name === 'th') return { to: end, says: opens ? '\t' : '' };
  return { to: end, says: BLOCKS.has(name) ? '\n' : '' };
}

function closing(html: string, name: string, from: number): number {
  const found = html.slice(from).search(new RegExp(`</${name}\\s*>`, 'i'));
  return found === -1 ? html.length : after(html, '>', from + found);
}

function after(html: string, mark: string, from: number): number {
  const found = html.indexOf(mark, from);
  return found === -1 ? html.length : found + mark.length;
}

function tidy(text: string): string {
  return text
    .replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,5}));/gi, (whole, decimal?: string, hex?: string, named?: string) => {
      if (named !== undefined) return NAMED[named.toLowerCase()] ?? whole;
      const code = decimal === undefined ? parseInt(hex ?? '', 16) : Number(decimal);
      return code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff) ? whole : String.fromCodePoint(code);
    })
    .replace(/[^\S\n\t]+/g, ' ')
    .replace(/ ?\n[ \n]*/g, '\n');
}
