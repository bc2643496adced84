export { Readers, type Reader } from './readers.js';
export { prepareInputs } from './prepare.js';
export type { InputContext, InputDeps, OpenedCredential, Prepared } from './words.js';
