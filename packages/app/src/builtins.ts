import { approvalConsolePlugin } from '@bailing/approval-console';
import { approvalWebhookPlugin } from '@bailing/approval-webhook';
import { channelWebhookPlugin } from '@bailing/channel-webhook';
import { channelWecomPlugin } from '@bailing/channel-wecom';
import { gateRiskPlugin } from '@bailing/gate-risk';
import { inputAudioPlugin } from '@bailing/input-audio';
import { inputFilePlugin } from '@bailing/input-file';
import { inputImagePlugin } from '@bailing/input-image';
import type { BuiltIns, PluginEntry } from '@bailing/kernel';
import { modelOpenaiPlugin } from '@bailing/model-openai';
import { modelRulesPlugin } from '@bailing/model-rules';
import { quotaRatePlugin } from '@bailing/quota-rate';
import { sourceOpenapiPlugin } from '@bailing/source-openapi';

/** Built-ins that always run. A configuration entry with the same id gives one its configuration. */
export const ALWAYS: readonly PluginEntry[] = [
  'source-openapi',
  'gate-risk',
  'quota-rate',
  'approval-console',
  'approval-webhook',
  'channel-webhook',
  'channel-email',
  'channel-wecom',
  'model-rules',
  'model-openai',
  'input-file',
  'input-image',
  'input-audio',
];

/** Built-ins by id, on the same terms as anyone's plugin. */
export const BUILTINS: BuiltIns = {
  'approval-console': approvalConsolePlugin,
  'approval-webhook': approvalWebhookPlugin,
  'channel-email': () => import('@bailing/channel-email'),
  'channel-webhook': channelWebhookPlugin,
  'channel-wecom': channelWecomPlugin,
  'source-openapi': sourceOpenapiPlugin,
  'gate-risk': gateRiskPlugin,
  'gate-parameters': () => import('@bailing/gate-parameters'),
  'quota-rate': quotaRatePlugin,
  'model-rules': modelRulesPlugin,
  'model-openai': modelOpenaiPlugin,
  'input-file': inputFilePlugin,
  'input-image': inputImagePlugin,
  'input-audio': inputAudioPlugin,
};
