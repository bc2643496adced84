export { attachmentsOf, type Attachment } from './attachments.js';
export { deliveriesOf } from './deliveries.js';
export { deliverable, deliveryBody } from './body.js';
