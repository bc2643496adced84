import type { Diagnostic, SourceReport } from '@bailing/plugin-api';
import { summarise } from '../report/render.js';

/** A report in few words: a line for each operation, with `code@line:column` for everything said about it. */
export function briefReport(report: SourceReport): string {
  const { operations, imported, imported_with_warnings, not_declared, refused } = summarise(report);
  const head = `operations=${operations} imported=${imported} with_warnings=${imported_with_warnings} not_declared=${not_declared} refused=${refused}`;
  const lines = report.operations.map((one) =>
    [`${one.method} ${one.path}`, one.outcome, ...(one.tool ? [one.tool] : []), ...one.diagnostics.map(said)].join(' | '),
  );
  return `${[head, ...report.document.map((one) => `document | ${said(one)}`), ...lines].join('\n')}\n`;
}

function said(one: Diagnostic): string {
  const mark = { error: 'E', warning: 'W', info: 'i' }[one.severity];
  return `${mark} ${one.code}@${one.line ?? '-'}:${one.column ?? '-'}`;
}
