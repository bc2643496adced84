import type { ContextProvider, Gate, Quota } from '@bailing/plugin-api';
import { declareCases, type Make } from './cases/case.js';
import { channelCases, type ChannelSetup } from './cases/channel-cases.js';
import { contextCases } from './cases/context-cases.js';
import { gateCases } from './cases/gate-cases.js';
import { inputCases, type InputSetup } from './cases/input-cases.js';
import { modelCases, type ModelSetup } from './cases/model-cases.js';
import { quotaCases } from './cases/quota-cases.js';
import { sourceCases, type SourceSetup } from './cases/source-cases.js';

/**
 * Declares the cases of one extension point in the test file of a plugin.
 *
 * @example
 * describe('my gate', () => {
 *   conformance.gate(() => makeMyGate());
 * });
 */
export const conformance = Object.freeze({
  context: (make: Make<ContextProvider>): void => declareCases(contextCases, make),
  gate: (make: Make<Gate>): void => declareCases(gateCases, make),
  quota: (make: Make<Quota>): void => declareCases(quotaCases, make),
  source: (make: Make<SourceSetup>): void => declareCases(sourceCases, make),
  channel: (make: Make<ChannelSetup>): void => declareCases(channelCases, make),
  input: (make: Make<InputSetup>): void => declareCases(inputCases, make),
  model: (make: Make<ModelSetup>): void => declareCases(modelCases, make),
});
