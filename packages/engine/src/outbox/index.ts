export { approvalSender, requestOf, type ApprovalSenderDeps } from './approvals.js';
export { alertChannelSender, channelDeadSender, channelDeliverySender, type ChannelSenderDeps } from './channels.js';
export { alertSender, callbackSender, deliverySender, type JobEndSenderDeps, type PostSigned } from './job-ends.js';
export { executorDeadSender, executorDeliverySender } from './executors.js';
export { Dispatcher, type OutboxDeps } from './dispatcher.js';
export type { OutboxSender, SendEnd } from './sender.js';
