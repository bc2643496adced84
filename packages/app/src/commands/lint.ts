import fs from 'node:fs';
import { compileDocument, exitCode, renderReport, reportJson } from '@bailing/openapi';
import type { Diagnostic, SourceReport } from '@bailing/plugin-api';
import { readDocument } from '../read-document.js';
import { plain, print } from '../out.js';

export interface LintOptions {
  readonly json?: boolean;
  readonly overlay?: string;
}

/**
 * Says what a hub would make of a document: every operation, with line, column and what to do. Exit 0 clean (warnings allowed), 1 errors,
 * 2 nothing that can be read as a document.
 */
export async function lint(place: string, options: LintOptions): Promise<void> {
  const report = await reportOf(place, options);
  if (options.json === true) print(JSON.stringify(reportJson(report), null, 2));
  else for (const row of renderReport(report, place).split('\n')) print(plain(row));
  process.exitCode = exitCode(report);
}

async function reportOf(place: string, { overlay }: LintOptions): Promise<SourceReport> {
  const read = await readDocument(place);
  if (!read.ok) return unreadable(read.says);
  const overlays: string[] = [];
  if (overlay !== undefined) {
    try {
      overlays.push(fs.readFileSync(overlay, 'utf8'));
    } catch {
      return unreadable(`The overlay ${overlay} cannot be read.`);
    }
  }
  return compileDocument(read.text, { lint: true, overlays });
}

function unreadable(message: string): SourceReport {
  const suggestion = 'Name a file or an http(s) address of one OpenAPI 3.0 or 3.1 document as JSON or YAML.';
  const said: Diagnostic = { severity: 'error', code: 'invalid_spec', pointer: '', message, suggestion };
  return { drafts: [], operations: [], document: [said] };
}
