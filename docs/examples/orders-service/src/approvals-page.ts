import type { ApprovalRow } from './approvals.js';
import { escape } from './page.js';

/** The approvals of the back office, for people: what is asked, exactly what will be sent, and two buttons. */
export function approvalsPage(rows: readonly ApprovalRow[]): string {
  const body = rows.map(
    (row) =>
      `<tr>${[String(row.approval_id), row.summary, row.subject, row.tool, row.status].map(cell).join('')}<td>${sends(row)}</td><td>${buttons(row)}</td></tr>`,
  );
  const head = ['Approval', 'What', 'For', 'Tool', 'State', 'Will send', 'Decide'].map((name) => `<th>${name}</th>`).join('');
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Approvals</title><style>body{font:16px system-ui;margin:2rem}td,th{padding:.3rem .8rem;border-bottom:1px solid #ccc;text-align:left;vertical-align:top}pre{margin:0;white-space:pre-wrap}</style><h1>Approvals</h1><table><tr>${head}</tr>${body.join('')}</table></html>`;
}

function cell(text: string): string {
  return `<td>${escape(text)}</td>`;
}

function sends(row: ApprovalRow): string {
  const { intent } = JSON.parse(row.request) as { intent?: { request?: { method?: string; target?: string; body?: string } } };
  const { method = '', target = '', body = '' } = intent?.request ?? {};
  return `<pre>${escape(`${method} ${target}\n${body}`)}</pre>`;
}

function buttons(row: ApprovalRow): string {
  if (row.status !== 'pending') return escape(row.decided_by ?? '');
  const button = (decision: string, label: string) => `<button name="decision" value="${decision}">${label}</button>`;
  return `<form method="post" action="/approvals/${String(row.approval_id)}/decide"><input name="approver" placeholder="your user id" required> ${button('approved', 'Approve')} ${button('denied', 'Deny')}</form>`;
}
