import { settingDefinitions, type SettingValues } from './settings.js';
import type { SettingDefinition } from './setting-definitions.js';

/** Names every bad variable at once. Values never appear: they may be secrets. */
export class SettingsError extends Error {
  constructor(readonly problems: readonly string[]) {
    super(`The settings are not valid:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.name = 'SettingsError';
  }
}

/** Reads and validates every setting from the given environment; throws SettingsError naming all that is wrong. */
export function readSettings(env: Readonly<Record<string, string | undefined>> = process.env): SettingValues {
  const problems: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, definition] of Object.entries(settingDefinitions) as [
    string,
    SettingDefinition<unknown>,
  ][]) {
    const raw = env[definition.env];
    if (raw === undefined || raw === '') {
      if (definition.fallback === undefined) {
        problems.push(`${definition.env} is required: ${definition.doc}`);
      } else values[name] = definition.fallback;
      continue;
    }
    const result = definition.parse(raw);
    if ('value' in result) values[name] = result.value;
    else problems.push(`${definition.env} ${result.problem}`);
  }
  const settings = values as SettingValues;
  if (problems.length === 0) problems.push(...conflicts(settings));
  if (problems.length > 0) throw new SettingsError(problems);
  return settings;
}

/** Settings that are fine alone and wrong together. */
function conflicts(settings: SettingValues): string[] {
  const problems: string[] = [];
  if (!settings.databaseUrl) {
    problems.push('DATABASE_URL is required: npm start sets it, every other start needs it');
  }
  if (!settings.redisUrl && settings.role !== 'all') {
    problems.push('REDIS_URL is required when ROLE is api or worker: the processes meet in Redis');
  }
  if (settings.nodeEnv === 'production') {
    if (!settings.redisUrl) problems.push('REDIS_URL is required in production');
    if (!settings.webhookRequireHttps) problems.push('WEBHOOK_REQUIRE_HTTPS=false is refused in production');
    if (settings.webhookAllowCidrs.length > 0) problems.push('WEBHOOK_ALLOW_CIDRS is refused in production');
  }
  if (settings.oidcIssuer) {
    if (!settings.oidcClientId) problems.push('OIDC_CLIENT_ID is required with OIDC_ISSUER');
    if (!settings.oidcClientSecret) problems.push('OIDC_CLIENT_SECRET is required with OIDC_ISSUER');
    if (!settings.publicUrl) {
      problems.push('PUBLIC_URL is required with OIDC_ISSUER: the provider sends people back to it');
    }
    if (settings.nodeEnv === 'production' && settings.oidcIssuer.startsWith('http:')) {
      problems.push('OIDC_ISSUER has to be https in production');
    }
  }
  if (settings.webhookScheduleSeconds.length === 0) {
    problems.push('WEBHOOK_SCHEDULE_SECONDS needs at least one attempt');
  }
  return problems;
}
