import { definePlugin, points } from '@bailing/plugin-api';
import { riskGate } from './gate.js';

/** Required at boot: without it nothing would hold a high-risk call. */
export const gateRiskPlugin = definePlugin({
  id: 'gate-risk',
  provides: (add) => [add(points.gate, 'risk', () => riskGate)],
});
