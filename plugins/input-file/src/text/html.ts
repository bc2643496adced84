import { setImmediate } from 'node:timers/promises';

/** Elements whose content is no text for readers. */
const SILENT = new Set(['script', 'style', 'template', 'noscript', 'svg', 'head']);
/** Elements that end a line. */
const BLOCKS = new Set('p div br li ul ol tr table section article header footer h1 h2 h3 h4 h5 h6 blockquote pre dd dt hr'.split(' '));
const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

/** Characters after which other work of the hub has its turn. */
const STEP = 65_536;

/** The readable text of HTML in one pass: no tags, no scripts, one line per block. It is for reading, not for showing: nothing of it is safe as HTML. */
export async function htmlText(html: string): Promise<string> {
  const title = /<title[^>]{0,200}>([^<]{0,500})/i.exec(html.slice(0, 20_000))?.[1]?.trim() ?? '';
  let text = title === '' ? '' : `${title}\n`;
  let from = 0;
  let due = STEP;
  for (let at = 0; ;) {
    if (at > due) {
      await setImmediate();
      due = at + STEP;
    }
    const open = html.indexOf('<', at);
    if (open === -1) return tidy(text + html.slice(from));
    at = open + 1;
    if (!mayBegin(html.charCodeAt(at))) continue;
    const tag = tagAt(html, open);
    if (!tag) continue;
    text += html.slice(from, open) + tag.says;
    from = at = tag.to;
  }
}

/** A letter, `/`, `!` or `?`: what a tag begins with after its `<`. */
function mayBegin(code: number): boolean {
  const small = code | 32;
  return (small >= 97 && small <= 122) || code === 47 || code === 33 || code === 63;
}

/** What stands at a `<`: where it ends, and what it leaves in the text; null for a `<` that is one. */
function tagAt(html: string, open: number): { readonly to: number; readonly says: string } | null {
  if (html.startsWith('<!--', open)) return { to: after(html, '-->', open + 4), says: '' };
  const tag = /^<\/?([a-z][a-z0-9]*)/i.exec(html.slice(open, open + 40));
  if (!tag && html[open + 1] !== '!' && html[open + 1] !== '?') return null;
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
