export type { Problem } from './problem.js';
export { MAX_PROBLEMS } from './problem.js';
export { formatPlace } from './place.js';
export { createSchemaCheck } from './schema-check.js';
export type { Compiled, ConfigSchema, Configured, SchemaRoom } from './schema-check.js';
