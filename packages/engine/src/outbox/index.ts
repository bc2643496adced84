export { approvalSender, requestOf, type ApprovalSenderDeps } from './approvals.js';
export { Dispatcher, type OutboxDeps } from './dispatcher.js';
export type { OutboxSender, SendEnd } from './sender.js';
