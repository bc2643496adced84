export { addressKind, type AddressKind } from './hosts/address.js';
export { createHostRules, type HostRules, type HostRulesOptions } from './hosts/rules.js';
export { isForbiddenHeader } from './freeze/headers.js';
export { createHttpInvoker, type HttpInvoker, type HttpInvokerOptions } from './http-invoker.js';
export { createHttp, type CreateHttpOptions, type OwnedHttp } from './http/create-http.js';
export { createDownloads, type OwnedDownloads } from './http/download.js';
export { createSockets } from './sockets.js';
export type { FetchLimits } from './http/fetch.js';
export { PROBE_SUBJECT, sendAuthzProbe, type AuthzProbeRequest } from './probe/authz-probe.js';
