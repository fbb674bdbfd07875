import { CoafCommunicationEntity } from './coaf-communication.entity.js';
import { CoafEditEntity } from './coaf-edit.entity.js';
import { CoafInstitutionEntity } from './coaf-institution.entity.js';

/** The entities of this module, one per table. */
export const dossiersEntities = [CoafCommunicationEntity, CoafEditEntity, CoafInstitutionEntity];
