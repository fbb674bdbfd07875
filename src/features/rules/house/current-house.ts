import type { Reader } from '../../../platform/database/index.js';
import type { HouseFieldDefinition } from '../domain/house/house-schema.js';
import { HouseSchemaEntity } from '../store/entities.js';

/** Returns the current version of the house fields; null before the first version. */
export const currentHouse = (db: Reader, organisationId: string): Promise<HouseSchemaEntity | null> =>
  db.findOne(HouseSchemaEntity, { where: { organisationId }, order: { version: 'DESC' } });

export const currentHouseFields = async (
  db: Reader,
  organisationId: string,
): Promise<readonly HouseFieldDefinition[]> => (await currentHouse(db, organisationId))?.fields ?? [];
