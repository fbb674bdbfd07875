import { ClientAppEntity } from './client-app.entity.js';
import { ClientSecretEntity } from './client-secret.entity.js';
import { OrganisationEntity } from './organisation.entity.js';

export const authEntities = [ClientAppEntity, ClientSecretEntity, OrganisationEntity];
