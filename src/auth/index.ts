// Owns client applications and who may call what. Promises that no route is reached without its declared access.
export { AuthModule } from './auth.module.js';
export { ClientAppsService, type NewClientApp } from './client-apps.service.js';
export { ClientDirectory } from './client-directory.js';
