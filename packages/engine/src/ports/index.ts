export type * from './approval-store.js';
export type * from './call-store.js';
export type * from './house-store.js';
export type * from './job-store.js';
export type * from './runtime.js';
export type * from './settings.js';
export type * from './words.js';
