export { toolDocument } from './document.js';
export { startOrdersService, type OrdersService, type OrdersServiceOptions } from './service.js';
export type { Refund } from './refunds.js';
export { Approvals, type ApprovalRow, type DecisionAnswer, type HubLink } from './approvals.js';
