export { debugBundle, evidenceOf, type BundleDeps, type DebugBundle, type Evidence } from './bundle.js';
export type { MessageView } from './messages.js';
export type { Trace } from './trace.js';
export type { Diagnosis } from './diagnosis.js';
export { redactValue } from './redact.js';
export { checkSignature, type ReceivedCall, type SignatureReport } from './signature.js';
export { debugReport } from './report.js';
