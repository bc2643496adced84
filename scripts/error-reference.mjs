// Writes docs/reference/errors.md from the catalogue of packages/plugin-api. A test compares.
import fs from 'node:fs';
import { errorsPage } from './lib/errors-page.mjs';

fs.writeFileSync(new URL('../docs/reference/errors.md', import.meta.url), errorsPage());
