export { ALWAYS, BUILTINS } from './builtins.js';
export { loadConfig, renderProblems, type LoadedConfig } from './load-config.js';
export { renderTimeline } from './timeline.js';
export { bailingProgram } from './program.js';
