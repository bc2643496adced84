export { attachmentsOf, type Attachment } from './attachments.js';
export { deliveriesOf } from './deliveries.js';
export { answerText, deliverable, deliveryBody } from './body.js';
