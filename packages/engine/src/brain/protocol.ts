/** One vendor's way of writing tool calls into its text (WIRE §11.5). */
export interface Dialect {
  /** Named in the audit. */
  readonly marker: 'dsml_tool_markup' | 'tool_markup';
  /** What is never shown. */
  readonly whole: RegExp;
  /** A text that starts so may still become markup although its first tag is closed. */
  readonly opening?: RegExp;
  /** Markup in code quotes as well: no prose quotes it. */
  readonly evenQuoted?: true;
}

/** Everything known of the dialects; DeepSeek, its older form, Qwen and Hermes, and the function_calls form, in this order. */
export const DIALECTS: readonly Dialect[] = Object.freeze([
  { marker: 'dsml_tool_markup', whole: /<[|｜]{1,4}\s*DSML\s*[|｜]{1,4}/i, evenQuoted: true },
  {
    marker: 'tool_markup',
    whole: /<[|｜]{1,2}\s*(?:tool[_▁]calls?|invoke|tool[_▁]call[_▁]begin|tool[_▁]calls[_▁]begin)(?:[_▁](?:begin|end))?\s*[|｜]{1,2}>/i,
  },
  { marker: 'tool_markup', whole: /<tool_call>\s*(?:\{|<function=)/i, opening: /^<tool_call>\s*(?:<[a-z]*)?$/i },
  { marker: 'tool_markup', whole: /<function_calls?>\s*<invoke\b/i, opening: /^<function_calls?>\s*(?:<[a-z]*)?$/i },
]);

/** The marker of the first protocol markup in a text, or null. Prose that merely quotes a tag name stays prose. */
export function protocolMarker(text: string): Dialect['marker'] | null {
  if (!text.includes('<')) return null;
  // Quoted code leaves a mark that no dialect bridges: what stands before and after it does not belong together.
  const prose = text.replace(/```[\s\S]*?(?:```|$)|`[^`\n]*`/g, '\u0001');
  return DIALECTS.find(({ whole, evenQuoted }) => whole.test(evenQuoted ? text : prose))?.marker ?? null;
}
