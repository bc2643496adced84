import { definePlugin, points } from '@bailing/plugin-api';
import { rulesProvider } from './provider.js';

/**
 * Model kind `rules`: the embedded planner. It is no language model: it matches words, fills arguments by rules and calls; no key, no
 * network, no state, the same answer for the same request.
 */
export const modelRulesPlugin = definePlugin({
  id: 'model-rules',
  provides: (add) => [
    add(points.model, 'rules', () => ({
      row: { type: 'object', properties: { default_model: { type: 'string', minLength: 1, maxLength: 128 } } },
      open: (row) => rulesProvider(row.default_model ?? 'rules'),
    })),
  ],
});
