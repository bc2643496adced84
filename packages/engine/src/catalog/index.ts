export * from './definition.js';
export * from './revision.js';
export * from './scope.js';
export * from './subject.js';
export * from './visible.js';
export { Catalogue } from './catalogue.js';
export { installCached, originOf, refreshProvider, type RefreshDeps, type RefreshResult } from './refresh.js';
