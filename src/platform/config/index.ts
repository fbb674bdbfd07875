// Owns the settings of the environment. Promises that nothing else reads process.env and that every value was checked.
export { baseUrlOf, allowsSandboxScenarios, Settings, SettingsModule } from './settings.module.js';
export { API_VERSIONS, CURRENT_API_VERSION, settingDefinitions, type SettingValues } from './settings.js';
export { readSettings, requireOwnKeys, requireServable, SettingsError } from './read-settings.js';
export type { RingKey } from './setting-definitions.js';
export { readOf, readRedisUrl } from './server-urls.js';
