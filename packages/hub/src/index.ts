export { checkServerToken } from './authenticate.js';
export { defaultCredential } from './brains.js';
export { createHub, type Hub, type HubOptions } from './hub.js';
export { createLog, redactText } from './log.js';
export { APP } from './version.js';
export { publicWarnings } from './public-warning.js';
