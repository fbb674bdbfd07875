import type { Reader } from '../../../platform/database/index.js';
import type { CustomFieldDefinition } from '../domain/custom-fields/custom-field-schema.js';
import { CustomFieldSchemaEntity } from '../store/entities.js';

/** Returns the current version of the custom fields; null before the first version. */
export const currentCustomFieldSchema = (
  db: Reader,
  organisationId: string,
): Promise<CustomFieldSchemaEntity | null> =>
  db.findOne(CustomFieldSchemaEntity, { where: { organisationId }, order: { version: 'DESC' } });

export const currentCustomFields = async (
  db: Reader,
  organisationId: string,
): Promise<readonly CustomFieldDefinition[]> =>
  (await currentCustomFieldSchema(db, organisationId))?.fields ?? [];
