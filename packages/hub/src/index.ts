export { checkServerToken } from './authenticate.js';
export { defaultCredential } from './brains.js';
export { channelProblems } from './check-channels.js';
export { createHub } from './hub.js';
export type { Hub, HubOptions } from './hub-options.js';
export { createLog, redactText } from './log.js';
export { APP } from './version.js';
export { publicWarnings } from './public-warning.js';
