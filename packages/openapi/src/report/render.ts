import type { Diagnostic, OperationReport, SourceReport } from '@bailing/plugin-api';

/** How many of each, over the whole document. */
export interface ReportSummary {
  readonly operations: number;
  readonly imported: number;
  readonly imported_with_warnings: number;
  readonly not_declared: number;
  readonly refused: number;
  readonly errors: number;
  readonly warnings: number;
}

/** The machine-readable form of `bailing lint --json`. */
export interface ReportJson {
  readonly operations: readonly OperationReport[];
  readonly document: readonly Diagnostic[];
  readonly summary: ReportSummary;
}

export function reportJson(report: SourceReport): ReportJson {
  return { operations: report.operations, document: report.document, summary: summarise(report) };
}

export function summarise(report: SourceReport): ReportSummary {
  const all = [...report.document, ...report.operations.flatMap((one) => one.diagnostics)];
  const outcome = (wanted: OperationReport['outcome']): number => report.operations.filter((one) => one.outcome === wanted).length;
  const severity = (wanted: Diagnostic['severity']): number => all.filter((one) => one.severity === wanted).length;
  return {
    operations: report.operations.length,
    imported: outcome('imported'),
    imported_with_warnings: outcome('imported_with_warnings'),
    not_declared: outcome('not_declared'),
    refused: outcome('refused'),
    errors: severity('error'),
    warnings: severity('warning'),
  };
}

/** For CI: 0 clean (warnings allowed), 1 errors, 2 the text cannot be read as a document at all. */
export function exitCode(report: SourceReport): 0 | 1 | 2 {
  const unreadable = ['invalid_spec', 'document_too_large', 'document_too_deep'];
  if (report.document.some((one) => one.severity === 'error' && unreadable.includes(one.code))) return 2;
  return summarise(report).errors > 0 ? 1 : 0;
}

const WORDS: Readonly<Record<OperationReport['outcome'], string>> = {
  imported: 'imported',
  imported_with_warnings: 'imported, with warnings',
  not_declared: 'not declared',
  refused: 'refused',
};

/** A report for people: what is wrong first, with line and column, and what to do. `name` is what the document is called. */
export function renderReport(report: SourceReport, name: string): string {
  const lines = report.document.flatMap((one) => renderDiagnostic(name, one, ''));
  const rank: readonly OperationReport['outcome'][] = ['refused', 'imported_with_warnings', 'imported', 'not_declared'];
  for (const outcome of rank)
    for (const operation of report.operations.filter((one) => one.outcome === outcome)) {
      if (outcome === 'not_declared' && operation.diagnostics.length === 0) continue;
      const tool = operation.tool === undefined ? '' : ` as ${operation.tool}`;
      lines.push(`${operation.method} ${operation.path}: ${WORDS[outcome]}${tool}`);
      lines.push(...operation.diagnostics.flatMap((one) => renderDiagnostic(name, one, '  ')));
    }
  return [...lines, renderSummary(summarise(report))].join('\n');
}

function renderDiagnostic(name: string, one: Diagnostic, indent: string): string[] {
  const place = one.line === undefined ? name : `${name}:${one.line}:${one.column ?? 1}`;
  const head = `${indent}${one.severity} ${one.code}  ${place}`;
  return [head, `${indent}  ${one.message}`, ...(one.suggestion ? [`${indent}  → ${one.suggestion}`] : [])];
}

function renderSummary(s: ReportSummary): string {
  const tools = s.imported + s.imported_with_warnings;
  return `${s.operations} operations: ${tools} imported (${s.imported_with_warnings} with warnings), ${s.not_declared} not declared, ${s.refused} refused; ${s.errors} errors, ${s.warnings} warnings`;
}
