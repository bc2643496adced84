import { definePlugin, points } from '@bailing/plugin-api';
import { Parsers } from './documents/parsers.js';
import { fileHandler } from './handler.js';

const config = {
  type: 'object',
  properties: {
    cpu_seconds: { type: 'integer', minimum: 1, maximum: 50, default: 10, description: 'Processor time that one PDF or DOCX may cost' },
    heap_mb: { type: 'integer', minimum: 64, maximum: 4_096, default: 256, description: 'Memory of the process that parses it' },
    wall_seconds: { type: 'integer', minimum: 1, maximum: 55, default: 45, description: 'Time by the clock that one may take' },
    at_once: { type: 'integer', minimum: 1, maximum: 16, default: 2, description: 'Documents parsed at the same time' },
    pages: { type: 'integer', minimum: 1, maximum: 10_000, default: 1_000, description: 'Pages of a PDF that are looked at' },
  },
  additionalProperties: false,
} as const;

/** Texts, PDF with a text layer and DOCX. Everything else is honestly not read. */
export const inputFilePlugin = definePlugin({
  id: 'input-file',
  config,
  setup: ({ config: set }) =>
    new Parsers({
      cpuSeconds: set.cpu_seconds,
      heapMb: set.heap_mb,
      wallMs: set.wall_seconds * 1_000,
      atOnce: set.at_once,
      maxPages: set.pages,
    }),
  provides: (add) => [add(points.input, 'documents', ({ own }) => fileHandler(own))],
  stop: ({ own }) => own.close(),
});
