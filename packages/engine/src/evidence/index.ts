export { debugBundle, type BundleDeps, type DebugBundle } from './bundle.js';
export type { Diagnosis } from './diagnosis.js';
export { redactValue } from './redact.js';
export { checkSignature, type ReceivedCall, type SignatureReport } from './signature.js';
export { debugReport } from './report.js';
