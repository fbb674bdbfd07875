import { CoafCommunicationEntity } from './coaf-communication.entity.js';
import { CoafEditEntity } from './coaf-edit.entity.js';
import { CoafInstitutionEntity } from './coaf-institution.entity.js';

export const dossiersEntities = [CoafCommunicationEntity, CoafEditEntity, CoafInstitutionEntity];
