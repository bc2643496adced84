import type { Refund } from './refunds.js';

/** The back office's own table, for people. */
export function refundsPage(refunds: readonly Refund[]): string {
  const rows = refunds.map(
    (refund) =>
      `<tr>${[`RF-${String(refund.id)}`, refund.order_no, (refund.amount_cents / 100).toFixed(2), refund.status, refund.requested_by, refund.reason].map((cell) => `<td>${escape(cell)}</td>`).join('')}</tr>`,
  );
  const head = ['Refund', 'Order', 'Amount', 'Status', 'For', 'Reason'].map((name) => `<th>${name}</th>`).join('');
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Refunds</title><style>body{font:16px system-ui;margin:2rem}td,th{padding:.3rem .8rem;border-bottom:1px solid #ccc;text-align:left}</style><h1>Refunds</h1><table><tr>${head}</tr>${rows.join('')}</table></html>`;
}

/** Text of others, safe inside HTML. */
export function escape(text: string): string {
  return text.replace(/[&<>"]/g, (mark) => `&#${String(mark.charCodeAt(0))};`);
}
