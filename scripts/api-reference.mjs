// Writes docs/reference/api.md from packages/http/openapi.yaml. A test compares.
import fs from 'node:fs';
import { apiPage } from './lib/api-page.mjs';

fs.writeFileSync(new URL('../docs/reference/api.md', import.meta.url), apiPage());
