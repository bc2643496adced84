import { gateRiskPlugin } from '@bailing/gate-risk';
import type { PluginEntry } from '@bailing/kernel';
import { quotaRatePlugin } from '@bailing/quota-rate';
import { sourceOpenapiPlugin } from '@bailing/source-openapi';
import { channelPagesPlugin } from './pages-channel.js';
import { modelScriptPlugin } from './script-model.js';

/** Everything that governs, the scripted model, and nothing that takes long to load. */
export const LEAN: readonly PluginEntry[] = [sourceOpenapiPlugin, gateRiskPlugin, quotaRatePlugin, modelScriptPlugin, channelPagesPlugin];
