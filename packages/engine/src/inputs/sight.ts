import { readStrictJson } from '@bailing/contract';
import type { InputModel, Material, ModelTool } from '@bailing/plugin-api';
import { ahead } from './ahead.js';
import { cutText, unfenced } from './fence.js';
import { fetchMaterial, readMaterial } from './fetch-material.js';
import type { Link } from './links.js';
import { phrasesFor, type Phrases } from './phrases.js';
import type { InputContext } from './words.js';

export const SEE_IMAGE = 'see_image';

/** Bytes of one image, and of all that one question is about; vision endpoints take little more. */
const ONE_BYTES = 8_388_608;
const ALL_BYTES = 12_582_912;
const ANSWER_CHARS = 20_000;
const QUESTION_CHARS = 2_000;
/** WIRE §12: what of a question the audit keeps. */
const AUDITED_CHARS = 200;

/** What has been looked at so far; part of a loop's saved state. */
export interface SightState {
  /** Looks that were begun: one that a restart cut short has cost as much as any other. */
  readonly used: number;
  /** The brain has been told what came of a look. Absent in what an older hub wrote. */
  readonly looked?: boolean;
  /** The one look that the hub takes by itself was taken. */
  readonly unasked: boolean;
}

type Fetched = { readonly is: 'seen'; readonly material: Material } | { readonly is: 'lost'; readonly says: string };

/** The images of a user, looked at through a vision model: by the built-in tool `see_image`, or once before a brain is asked (WIRE §11.3, §12). */
export class Sight {
  private readonly phrases: Phrases;
  private fetching: Promise<readonly Fetched[]> | undefined;
  private used = 0;
  /** Counted before they begin, so that a state saved in between knows of them. */
  private reserved = 0;
  private looked = false;
  private triedUnasked = false;

  constructor(
    private readonly links: readonly Link[],
    private readonly model: InputModel,
    /** Looks a brain may take. */
    readonly limit: number,
    private readonly context: InputContext,
  ) {
    this.phrases = phrasesFor(context.text);
  }

  get state(): SightState {
    return { used: this.used + this.reserved, looked: this.looked, unasked: this.triedUnasked };
  }

  restore({ used, looked = used > 0, unasked }: SightState): void {
    this.used = used;
    this.looked = looked;
    this.triedUnasked = unasked;
  }

  /** The tool as a brain is offered it; none once its looks are used up. */
  offered(): readonly ModelTool[] {
    if (this.used >= this.limit) return [];
    const properties = {
      question: { type: 'string', minLength: 1, maxLength: QUESTION_CHARS, description: 'What you need to know.' },
      indexes: {
        type: 'array',
        items: { type: 'integer', minimum: 0 },
        maxItems: 20,
        description: 'Which images, from 0; all where absent.',
      },
    };
    const parameters = { type: 'object', properties, required: ['question'], additionalProperties: false };
    return [{ name: SEE_IMAGE, description: this.phrases.seeTool, parameters }];
  }

  /** How many looks of a turn are about to begin; those beyond the limit will not. */
  reserve(calls: readonly { readonly name: string }[]): number {
    const looks = calls.filter(({ name }) => name === SEE_IMAGE).length;
    return (this.reserved = Math.min(looks, Math.max(0, this.limit - this.used)));
  }

  /** Answers a call of the tool as text, whatever goes wrong. Indexes out of range are left out; none left means all. */
  async see(args: string): Promise<string> {
    if (this.used >= this.limit) return this.phrases.noLook;
    this.used++;
    this.reserved = Math.max(0, this.reserved - 1);
    const read = readStrictJson(args);
    const asked = (read.ok && typeof read.value === 'object' ? read.value : {}) as { question?: unknown; indexes?: unknown } | null;
    const question = typeof asked?.question === 'string' && asked.question.trim() !== '' ? asked.question.trim() : this.phrases.describe;
    const named = Array.isArray(asked?.indexes) ? asked.indexes.filter((index: unknown): index is number => this.isIndex(index)) : [];
    const seen = await this.look('tool', question.slice(0, QUESTION_CHARS).toWellFormed(), named);
    this.looked = true;
    return seen;
  }

  /** Where a brain answers without having looked: what the images show, once. Null where it has, or was told already. */
  async unasked(): Promise<string | null> {
    if (this.looked || this.triedUnasked) return null;
    this.triedUnasked = true;
    return this.phrases.looked(await this.look('tool-fallback', this.phrases.describe, []));
  }

  /** One look at everything, before a brain is asked. */
  describe(): Promise<string> {
    return this.look('prepass', this.phrases.describe, []);
  }

  private isIndex(index: unknown): boolean {
    return Number.isInteger(index) && (index as number) >= 0 && (index as number) < this.links.length;
  }

  private async look(mode: 'tool' | 'prepass' | 'tool-fallback', question: string, indexes: readonly number[]): Promise<string> {
    const all = await (this.fetching ??= this.fetchAll());
    const chosen = indexes.length === 0 ? all : all.filter((_one, index) => indexes.includes(index));
    const seen = chosen.flatMap((one) => (one.is === 'seen' ? [one.material] : []));
    const lost = chosen.flatMap((one) => (one.is === 'lost' ? [one.says] : []));
    const [first, ...rest] = seen;
    const answer = first ? await this.ask(mode, question, [first, ...rest]) : { ok: false, text: this.phrases.unseen(lost.join(' ')) };
    this.context.note('perception', {
      mode,
      model: this.model.name,
      images: chosen.length,
      ok: answer.ok,
      ...(!answer.ok && { error: answer.text.slice(0, AUDITED_CHARS) }),
      ...(mode === 'tool' && { question: question.slice(0, AUDITED_CHARS).toWellFormed() }),
    });
    return first && lost.length > 0 ? `${answer.text}\n${lost.map((says) => this.phrases.unseen(says)).join('\n')}` : answer.text;
  }

  private async ask(mode: string, question: string, materials: readonly [Material, ...Material[]]) {
    const handler = this.context.deps.readers.of('image', materials[0].mediaType);
    if (!handler) return { ok: false, text: this.phrases.unseen('their kind is not read here.') };
    const request = { mode, materials, question, maxChars: ANSWER_CHARS, model: this.model };
    const reading = await readMaterial(handler, request, this.context);
    if (reading.is === 'text') return { ok: true, text: unfenced(cutText(reading.text, ANSWER_CHARS).text) };
    return { ok: false, text: this.phrases.unseen(reading.says) };
  }

  /** Once a job, a few at once. */
  private async fetchAll(): Promise<readonly Fetched[]> {
    const fetched: Fetched[] = [];
    let left = ALL_BYTES;
    const fetching = ahead(this.links, async (link, index, turn) => {
      const maxBytes = Math.min(ONE_BYTES, Math.max(left, 1));
      return { link, one: await fetchMaterial(link, index, { medium: 'image', maxBytes }, this.context, turn) };
    });
    for await (const { link, one } of fetching) {
      const bytes = one.is === 'material' ? one.material.bytes.length : 0;
      if (one.is !== 'material') fetched.push({ is: 'lost', says: `${link.name}: ${one.says}.` });
      else if (bytes > left)
        fetched.push({ is: 'lost', says: `${link.name}: all images together are more than ${String(ALL_BYTES)} bytes.` });
      else {
        left -= bytes;
        fetched.push({ is: 'seen', material: one.material });
      }
    }
    return fetched;
  }
}
