import type { Reader } from '../../../platform/database/index.js';
import type { HouseFieldDefinition } from '../domain/house/house-schema.js';
import { HouseSchemaEntity } from '../store/entities/house-schema.entity.js';

/** The version of the fields in force; null for a house that has typed nothing. */
export const currentHouse = (db: Reader, organisationId: string): Promise<HouseSchemaEntity | null> =>
  db.findOne(HouseSchemaEntity, { where: { organisationId }, order: { version: 'DESC' } });

/** The fields in force. */
export const currentHouseFields = async (
  db: Reader,
  organisationId: string,
): Promise<readonly HouseFieldDefinition[]> => (await currentHouse(db, organisationId))?.fields ?? [];
