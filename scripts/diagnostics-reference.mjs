// Writes docs/reference/tool-diagnostics.md from packages/openapi. A test compares.
import fs from 'node:fs';
import { diagnosticsPage } from './lib/diagnostics-page.mjs';

fs.writeFileSync(new URL('../docs/reference/tool-diagnostics.md', import.meta.url), diagnosticsPage());
