export { jobHead, jobView, parsed } from '@bailing/engine';
