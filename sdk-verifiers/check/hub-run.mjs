// Answers the vectors with the hub's own contract package. Usage: node hub-run.mjs <folder> [<entry of another contract package>]
import { hubReport } from './dist/hub-run.js';

process.stdout.write((await hubReport(process.argv[2], process.argv[3])) + '\n');
