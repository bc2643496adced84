// Writes docs/reference/configuration.md from the schemas of packages/resources. A test compares.
import fs from 'node:fs';
import { referencePage } from '../packages/resources/dist/index.js';

fs.writeFileSync(new URL('../docs/reference/configuration.md', import.meta.url), referencePage());
