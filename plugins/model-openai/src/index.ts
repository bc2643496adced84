import { definePlugin, points, services } from '@bailing/plugin-api';
import { openaiProvider } from './provider.js';

/** Members of a credential row of kind `openai` (WIRE §18). */
const row = {
  type: 'object',
  properties: {
    base_url: { type: 'string', minLength: 1, maxLength: 512, description: 'Up to and without /chat/completions, e.g. https://host/v1' },
    api_key: { type: 'string', writeOnly: true, description: 'Sent as a bearer token; leave it out for endpoints without authentication' },
    default_model: { type: 'string', minLength: 1, maxLength: 128 },
    timeout_ms: { type: 'integer', minimum: 1_000, maximum: 3_600_000 },
  },
  required: ['base_url'],
} as const;

const config = {
  type: 'object',
  properties: {
    timeout_ms: {
      type: 'integer',
      minimum: 1_000,
      maximum: 3_600_000,
      default: 120_000,
      description: 'One whole answer, where the row names no limit',
    },
    idle_ms: {
      type: 'integer',
      minimum: 100,
      maximum: 600_000,
      default: 60_000,
      description: 'Longest silence between two pieces of an answer',
    },
    streaming: { type: 'boolean', default: true, description: 'Ask for streams' },
    usage: { type: 'boolean', default: false, description: 'Ask streams for token figures (stream_options); not every endpoint knows it' },
  },
  additionalProperties: false,
} as const;

/** Model kind `openai`: any endpoint that speaks chat completions, over the hub's own outbound door. */
export const modelOpenaiPlugin = definePlugin({
  id: 'model-openai',
  config,
  needs: { http: services.http },
  provides: (add) => [
    add(points.model, 'openai', ({ config: set, services: { http }, log }) => ({
      row,
      open: (credential) =>
        openaiProvider(credential, http, log, {
          timeoutMs: set.timeout_ms,
          idleMs: set.idle_ms,
          streaming: set.streaming,
          usage: set.usage,
        }),
    })),
  ],
});
