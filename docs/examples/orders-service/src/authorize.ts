import type { OrdersDatabase } from './database.js';

/** Which permission of the back office each tool stands for: the agent presses the same buttons as the person it acts for. */
export const NEEDS: Readonly<Record<string, string>> = Object.freeze({
  order_read: 'order.read',
  refund_request_create: 'refund.request',
  refund_execute: 'refund.execute',
  // Asked by the hub itself, in the name of whoever made the write.
  write_lookup: 'order.read',
});

/** The business decides, from its own tables. Unknown users, unknown tools and the empty subject may nothing. */
export function authorizer(database: OrdersDatabase): (operator: string, tool: string) => boolean {
  const may = database.prepare('SELECT 1 AS ok FROM permissions JOIN users USING (uid) WHERE uid = ? AND action = ?');
  return (operator, tool) => {
    const action = NEEDS[tool];
    return operator !== '' && action !== undefined && may.get([operator, action]) !== undefined;
  };
}
