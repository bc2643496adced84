export { NOT_BUILT, NOT_BUILT_VALUES, usesNotBuilt } from './not-built.js';
export { readConfig, type ConfigProblem, type ConfigReading, type ReadOptions } from './read-config.js';
export type { ClientResource } from './schemas/client.js';
export { configSchema, type BailingConfig, type PluginResource } from './schemas/config.js';
export type { CredentialResource } from './schemas/credential.js';
export type { HubResource } from './schemas/hub.js';
export type { RouteResource } from './schemas/route.js';
export type { ToolProviderResource } from './schemas/tool-provider.js';
export { readYaml, type Place, type YamlText } from './text/yaml-text.js';
