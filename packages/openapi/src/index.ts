export { bundle, externalDocuments, externalRefs, type Bundled } from './bundle/bundle.js';
export type { ExternalRef } from './bundle/refs.js';
export { compileDocument, type CompileOptions } from './compile.js';
