export { AlertWatch, type AlertDeps } from './watch.js';
