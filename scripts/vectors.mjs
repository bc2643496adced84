// Builds the verifiers and asks all of them all vectors: `npm run vectors [-- --seed N --size N]`. Without PHP or Python it says so; CI refuses that.
import { build } from './build.mjs';

const code = build(['sdk-verifiers/check']);
if (code !== 0) process.exit(code);
const { main } = await import('../sdk-verifiers/check/dist/main.js');
process.exitCode = await main(process.argv.slice(2));
