/** Shorter ones stand in other words by chance, and keep nothing secret. */
const LEAST_CHARS = 8;
/** What is looked at first of every place of a text. */
const HEAD_CHARS = 4;
const SAID = '[secret]';

/**
 * Finds secrets in texts that others wrote, plain or as they travel: in JSON, in an address, or in a header as base64. One pass over the text, however
 * many secrets there are: an executor may report a megabyte, and a hub may have thousands of clients.
 */
export class SecretFinder {
  /** By the first characters of forms, the forms and their lengths. */
  private readonly forms = new Map<string, Alike>();
  /** Which first characters there are, by hash: almost every place of a text is passed over here. */
  private readonly heads = new Uint8Array(65_536);

  constructor(secrets: Iterable<string>) {
    for (const secret of secrets) if (secret.length >= LEAST_CHARS) for (const form of formsOf(secret)) this.add(form);
  }

  /** The text with `[secret]` for every secret in it. */
  blank(text: string): string {
    let said = '';
    let from = 0;
    for (let at = 0; at + LEAST_CHARS <= text.length; at++) {
      const found = this.at(text, at);
      if (found === undefined) continue;
      said += text.slice(from, at) + SAID;
      from = at + found.length;
      at = from - 1;
    }
    return from === 0 ? text : said + text.slice(from);
  }

  private at(text: string, at: number): string | undefined {
    if (this.heads[headOf(text, at)] === 0) return undefined;
    const alike = this.forms.get(text.slice(at, at + HEAD_CHARS));
    const length = alike?.lengths.find((chars) => alike.forms.has(text.slice(at, at + chars)));
    return length === undefined ? undefined : text.slice(at, at + length);
  }

  private add(form: string): void {
    const head = form.slice(0, HEAD_CHARS);
    const alike = this.forms.get(head) ?? { forms: new Set(), lengths: [] };
    alike.forms.add(form);
    if (!alike.lengths.includes(form.length)) alike.lengths.push(form.length);
    alike.lengths.sort((a, b) => b - a);
    this.forms.set(head, alike);
    this.heads[headOf(form, 0)] = 1;
  }
}

/** Forms that begin alike: thousands of tokens may, so that they are looked up by length instead of one by one. */
interface Alike {
  readonly forms: Set<string>;
  /** The longest first, because a secret may begin as another one does. */
  readonly lengths: number[];
}

function headOf(text: string, at: number): number {
  let hash = 0;
  for (let i = at; i < at + HEAD_CHARS; i++) hash = (hash * 31 + text.charCodeAt(i)) & 0xffff;
  return hash;
}

function formsOf(secret: string): readonly string[] {
  const bytes = Buffer.from(secret, 'utf8');
  const address = encodeURIComponent(secret.toWellFormed());
  return [secret, JSON.stringify(secret).slice(1, -1), address, bytes.toString('base64'), bytes.toString('base64url')];
}
