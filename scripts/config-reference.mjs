// Writes docs/reference/configuration.md and the JSON Schema for editors from the schemas of packages/resources. A test compares.
import fs from 'node:fs';
import { jsonSchemas, referencePage } from '../packages/resources/dist/index.js';

fs.writeFileSync(new URL('../docs/reference/configuration.md', import.meta.url), referencePage());
fs.writeFileSync(
  new URL('../docs/reference/bailing.schema.json', import.meta.url),
  `${JSON.stringify(jsonSchemas().get('bailing.schema.json'), null, 2)}\n`,
);
