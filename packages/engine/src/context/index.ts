export { assembleInput, NO_BACKGROUND, type Background } from './assemble-input.js';
export { backgroundOf, type BackgroundDeps } from './background.js';
export { remembering } from './remembering.js';
export { summarise } from './summarise.js';
export { FENCES, unfenced } from './fences.js';
export type { Contexts } from './providers.js';
