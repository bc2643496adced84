export { isWebAddress, messageOf, readSendArgs, recipientsOf, sendProblems } from './arguments.js';
export { fetchMs, nameOf } from './files.js';
export { keepHistory, scopeOf, type HistoryDeps } from './history.js';
export { isSend, sendEvent, sendEvidence } from './evidence.js';
export { BUILTIN, SEND_MESSAGE, SEND_SCOPE, SEND_SCOPE_SHOWN, type OutFile, type OutMessage } from './message.js';
export { messenger, type MessengerDeps, type OpenChannel } from './messenger.js';
export { BUILTIN_PROVIDER, channelsOf, grantedFor, sendGrant, sendTool, type SendBinding } from './tool.js';
