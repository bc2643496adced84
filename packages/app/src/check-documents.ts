import { compileDocument } from '@bailing/openapi';
import type { BailingConfig, ToolProviderResource } from '@bailing/resources';
import { readDocument } from './read-document.js';
import { plain } from './out.js';

/** What becomes of the documents of tool providers: rows of text, the refused operations named. Addresses are read only where they are public and asked for. */
export async function documentRows({ tool_providers: providers }: BailingConfig, reach: boolean): Promise<readonly string[]> {
  const rows: string[] = [];
  for (const provider of providers) {
    const text = await textOf(provider, reach);
    rows.push(...(text.is === 'text' ? reportRows(provider, text.text) : [`${provider.name}: ${text.why}`]));
  }
  return rows.map(plain);
}

type Text = { readonly is: 'text'; readonly text: string } | { readonly is: 'not-read'; readonly why: string };

async function textOf({ spec_source, spec_json, spec_url, spec_access_policy }: ToolProviderResource, reach: boolean): Promise<Text> {
  if (spec_source === 'inline') return { is: 'text', text: spec_json ?? '' };
  if (!reach) return { is: 'not-read', why: 'its document is read by the hub (--documents reads public ones now).' };
  if (spec_access_policy !== 'public_allowed')
    return { is: 'not-read', why: 'its document asks for a signature; `bailing refresh` has a running hub read it.' };
  const read = await readDocument(spec_url ?? '');
  return read.ok ? { is: 'text', text: read.text } : { is: 'not-read', why: read.says };
}

function reportRows({ name, overlay }: ToolProviderResource, text: string): readonly string[] {
  const report = compileDocument(text, overlay === undefined ? {} : { overlays: [overlay] });
  const errors = report.document.filter(({ severity }) => severity === 'error');
  const refused = report.operations.filter(({ outcome }) => outcome === 'refused');
  return [
    `${name}: ${String(report.drafts.length)} tools, ${String(refused.length)} operations refused.`,
    ...errors.map(({ code, message, suggestion = '' }) => `  ${code} ${message} ${suggestion}`.trimEnd()),
    ...refused.flatMap(({ method, path, diagnostics }) =>
      diagnostics
        .filter(({ severity }) => severity === 'error')
        .map(({ code, message, suggestion = '' }) => `  ${method} ${path}: ${code} ${message} ${suggestion}`.trimEnd()),
    ),
  ];
}
