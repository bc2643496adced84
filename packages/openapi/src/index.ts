export { compileDocument, type CompileOptions } from './compile.js';
