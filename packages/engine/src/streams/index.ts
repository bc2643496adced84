export { MemoryStreams } from './memory-streams.js';
