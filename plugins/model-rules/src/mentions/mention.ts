/** `vague`: a day that cannot be told without knowing today; it fits nothing. */
/** `slug`: joined words without digits, `api-gateway`. */
export type MentionKind = 'quoted' | 'email' | 'url' | 'date' | 'datetime' | 'time' | 'phone' | 'id' | 'slug' | 'number' | 'name' | 'vague';

/** One thing a text names that may become an argument. */
export interface Mention {
  readonly kind: MentionKind;
  readonly start: number;
  readonly end: number;
  /** As written. */
  readonly text: string;
  /** Canonical: a number, `YYYY-MM-DD`, `HH:MM`, the inside of quotes, or the text. */
  readonly value: string | number;
  /** What a number counts: `money`, `percent`, `night`, `quantity` …; a currency code for money. */
  readonly unit?: string;
  readonly currency?: string;
  /** Numbers that are hardly meant as values: "one", 一个. */
  readonly weak?: boolean;
}

/** A text in which parts already understood are blanked, so that places stay right. */
export class Masked {
  #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  get text(): string {
    return this.#text;
  }

  /** Finds every match, blanks it, and answers what `make` makes of it. */
  take(pattern: RegExp, make: (match: RegExpExecArray) => Mention | undefined): Mention[] {
    const found: Mention[] = [];
    for (const match of this.#text.matchAll(pattern)) {
      const mention = make(match);
      if (!mention) continue;
      found.push(mention);
      this.blank(mention.start, mention.end);
    }
    return found;
  }

  blank(start: number, end: number): void {
    this.#text = this.#text.slice(0, start) + '\uE000'.repeat(end - start) + this.#text.slice(end);
  }
}
