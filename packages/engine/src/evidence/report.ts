import type { DebugBundle } from './bundle.js';

const EVENTS_MAX = 200;

/** The redacted bundle as Markdown, for people and tickets. */
export function debugReport(bundle: DebugBundle): string {
  const { identifiers, outcome, diagnosis, events, counts } = bundle;
  return [
    `# Job ${text(identifiers['job_id'])}`,
    '',
    `Status **${text(outcome['status'])}**${outcome['error'] === null ? '' : `: ${text(outcome['error'])}`}. Route \`${text(identifiers['route_key'])}\`, request \`${text(identifiers['request_id'])}\`.`,
    `Made ${text(bundle['generated_at'])} from the ledger; redacted by pattern and by name.`,
    '',
    '## Diagnosis',
    '',
    ...diagnosis.flatMap(({ severity, code, title, detail, fence, setting, next_action: fix, times }) => [
      `- **${severity}** ${text(title)} (\`${code}\`${times === undefined || times === 1 ? '' : `, ${String(times)} times`}). ${text(detail)}`,
      ...(fence === undefined ? [] : [`  - fence: ${text(fence)}`]),
      ...(setting === undefined ? [] : [`  - setting: \`${text(setting)}\``]),
      ...(fix === undefined ? [] : [`  - fix: ${text(fix)}`]),
    ]),
    '',
    '## Counts',
    '',
    ...Object.entries(counts).map(([name, count]) => `- ${name.replaceAll('_', ' ')}: ${text(count)}`),
    '',
    '## Events',
    '',
    '| time | event | severity | summary |',
    '|---|---|---|---|',
    ...events
      .slice(0, EVENTS_MAX)
      .map((one) => `| ${text(one['ts'])} | ${text(one['title'])} | ${text(one['severity'])} | ${text(one['summary'])} |`),
    ...(events.length > EVENTS_MAX ? ['', `${String(events.length - EVENTS_MAX)} more events are in the bundle.`] : []),
    '',
  ].join('\n');
}

/** One line, and nothing that Markdown or a terminal would take for its own. */
function text(value: unknown): string {
  const said = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  const flat = said.replace(/\p{Cc}+/gu, ' ');
  return flat.replace(/[|`<>]/g, (mark) => `\\${mark}`).slice(0, 500);
}
