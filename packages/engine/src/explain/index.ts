export { explain, type ExplainDeps } from './explain.js';
export { bodyOf, explainRequest, type Moment, type Wire } from './request.js';
export { locate, type Located, type RefusedCall } from './where.js';
export type * from './words.js';
