export { compareToEachOther, compareToExpected } from './compare.js';
export { missing, runnerOf, runVectors, SDKS, type Report, type Run, type Runner } from './runners.js';
export { askedOf, PARTIES, readVectors, type Party, type VectorCase, type VectorFile } from './vectors.js';
