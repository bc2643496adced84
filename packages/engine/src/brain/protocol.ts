/** Tool-protocol markup that must never be shown or parsed for execution (WIRE §11.5). */
const MARKS: readonly (readonly [string, RegExp])[] = [
  ['dsml_tool_markup', /<[|｜]{1,4}\s*DSML\s*[|｜]{1,4}/i],
  [
    'tool_markup',
    /<[|｜]{1,2}\s*(?:tool[_▁]calls?|invoke|tool[_▁]call[_▁]begin|tool[_▁]calls[_▁]begin)(?:[_▁](?:begin|end))?\s*[|｜]{1,2}>/i,
  ],
  ['tool_markup', /<tool_call>\s*(?:\{|<function=)/i],
  ['tool_markup', /<function_calls?>\s*<invoke\b/i],
];

/** The marker of the first protocol markup in a text, or null. Prose that merely quotes a tag name stays prose. */
export function protocolMarker(text: string): string | null {
  if (!text.includes('<')) return null;
  const prose = text.replace(/```[\s\S]*?(?:```|$)|`[^`\n]*`/g, (quoted) => (quoted.includes('DSML') ? quoted : ' '));
  for (const [marker, pattern] of MARKS) if (pattern.test(marker === 'dsml_tool_markup' ? text : prose)) return marker;
  return null;
}
