export { Readers, type Reader } from './readers.js';
export { SEE_IMAGE, type Sight, type SightState } from './sight.js';
export { overhear } from './overhear.js';
export { prepareInputs, resumedInputs } from './prepare.js';
export type { InputContext, InputOrder, InputDeps, OpenedCredential, Prepared } from './words.js';
