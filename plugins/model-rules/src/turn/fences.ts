/** More than anybody types; the rest is not read. */
const MAX_INPUT = 4_000;

/**
 * The user's own words out of an assembled message: blocks that the hub fences as background are not requests. Full-width letters and
 * digits become plain ones, one for one.
 */
export function userText(content: string): string {
  const task = /<task>([\s\S]*?)<\/task>/.exec(content)?.[1];
  const own = (task ?? content)
    .replace(/【([^【】]{1,20})】[\s\S]*?【\/\1】/g, ' ')
    .replace(/<(context|data|background)\b[^>]*>[\s\S]*?<\/\1>/g, ' ');
  return own
    .slice(0, MAX_INPUT)
    .replace(/[\uff10-\uff19\uff21-\uff3a\uff41-\uff5a\uff0d]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
    .replace(/[\u2010-\u2013]/g, '-')
    .trim();
}
