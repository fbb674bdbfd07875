// Owns client applications and the access to routes. Promises that no route is reached without its declared access.
export { AuthModule } from './auth.module.js';
export { AT_THE_CONSOLE, ClientAppsService, DEMO } from './client-apps.service.js';
export type { AppChangeActor } from './client-app-audit.js';
export { OrganisationEntity } from './store/entities.js';
export { logoUrlOf } from './domain/logo-url.js';
export { ClientAppQueries } from './store/client-app.queries.js';
export { ClientSecretsService } from './client-secrets.service.js';
export { OrganisationSettingsService } from './organisation-settings.service.js';
export { ClientUsageService } from './client-usage.service.js';
export { DEFAULT_RATE_LIMIT, DEFAULT_SCOPES } from './domain/app-profile.js';
export { ClientDirectoryService } from './client-directory.service.js';
export { TellOfSecret, type SecretNotice } from './secret-notices.js';
