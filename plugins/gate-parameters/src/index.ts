import { definePlugin, points } from '@bailing/plugin-api';
import { rulesSchema } from './config.js';
import { parametersGate } from './gate.js';

/**
 * Tightens by parameters, for businesses that do not declare `approval.when` themselves. It knows these questions and no others: another
 * tenant's data, sensitive fields, how many are affected, how much money, a message that leaves the house.
 */
export const gateParametersPlugin = definePlugin({
  id: 'gate-parameters',
  config: rulesSchema,
  provides: (add) => [add(points.gate, 'parameters', ({ config }) => parametersGate(config.rules))],
});

export type { Rule } from './config.js';
