export { attachmentsOf, type Attachment } from './attachments.js';
export { carriedBy, DELIVERY, notifyTarget, type Carried } from './carried.js';
export { attemptsOf } from './dead-letters.js';
export { deliveriesOf } from './deliveries.js';
export { answerText, deliverable, deliveryBody } from './body.js';
