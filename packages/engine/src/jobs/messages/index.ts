export { acceptSend, queueMessage, type NewMessage, type SendAccepted, type SendRequest } from './accept.js';
export { ALERT, CHANNEL_SEND, messageOfJob, type MessageMetadata } from './words.js';
export { messages } from './work.js';
