import { BailingError, type InputHandler, type InputMedium } from '@bailing/plugin-api';

/** A handler and the plugin it came with. */
export interface Reader {
  readonly plugin: string;
  readonly handler: InputHandler;
}

/** Who reads what: handlers by medium and media type. */
export class Readers {
  /**
   * `choices`: media type → plugin id, where several claim it.
   * @throws BailingError BAILING_INPUT_AMBIGUOUS, BAILING_CONFIG_INVALID
   */
  constructor(
    private readonly all: readonly Reader[],
    private readonly choices: Readonly<Record<string, string>> = {},
  ) {
    for (const { plugin, handler } of all) checkAccepts(plugin, handler);
    for (const [type, plugin] of Object.entries(choices)) this.checkChoice(type, plugin);
    for (const [index, one] of all.entries()) for (const other of all.slice(index + 1)) this.checkOverlap(one, other);
  }

  /** The handler of a media type; undefined where nobody reads it. */
  of(medium: InputMedium, mediaType: string): InputHandler | undefined {
    const fitting = this.all.filter(({ handler }) => handler.medium === medium && claims(handler, mediaType));
    const chosen = this.choices[mediaType] ?? this.choices[`${mediaType.split('/')[0] ?? ''}/*`];
    return (fitting.find(({ plugin }) => plugin === chosen) ?? fitting[0])?.handler;
  }

  private checkChoice(type: string, plugin: string): void {
    if (this.all.some((one) => one.plugin === plugin && one.handler.accepts.some((accepted) => meets(accepted, type)))) return;
    const detail = `${plugin} does not read ${type}.`;
    throw new BailingError('BAILING_CONFIG_INVALID', { at: `inputs.${type}`, detail });
  }

  private checkOverlap(one: Reader, other: Reader): void {
    if (one.handler.medium !== other.handler.medium) return;
    const shared = one.handler.accepts.flatMap((type) => other.handler.accepts.flatMap((also) => narrower(type, also)));
    const open = shared.find((type) => this.choices[type] === undefined);
    if (open === undefined) return;
    const detail = `${one.plugin} and ${other.plugin} both read ${open}; write inputs: { ${open}: ${other.plugin} } or name the other.`;
    throw new BailingError('BAILING_INPUT_AMBIGUOUS', { detail });
  }
}

const TYPE = /^[a-z]+\/(\*|[a-z0-9][a-z0-9.+-]*)$/;

function checkAccepts(plugin: string, { medium, accepts }: InputHandler): void {
  const known = (['image', 'audio', 'file'] as readonly unknown[]).includes(medium);
  const types: readonly unknown[] = Array.isArray(accepts) ? accepts : [];
  if (known && types.length > 0 && types.every((type) => typeof type === 'string' && TYPE.test(type))) return;
  const detail = `${plugin}: a handler reads image, audio or file, and accepts media types such as text/csv or text/*.`;
  throw new BailingError('BAILING_CONFIG_INVALID', { detail });
}

function claims({ accepts }: InputHandler, mediaType: string): boolean {
  return accepts.some((type) => type === mediaType || (type.endsWith('/*') && mediaType.startsWith(type.slice(0, -1))));
}

/** What both of two types cover, or nothing. */
function narrower(one: string, other: string): string[] {
  if (meets(one, other)) return [other];
  return meets(other, one) ? [one] : [];
}

/** Whether `wide` covers all of `type`. */
function meets(wide: string, type: string): boolean {
  return wide === type || (wide.endsWith('/*') && type.startsWith(wide.slice(0, -1)));
}
