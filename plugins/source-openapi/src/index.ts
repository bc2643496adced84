export { sourceOpenapiPlugin } from './plugin.js';
