import { Injectable } from '@nestjs/common';
import {
  execute,
  prepared,
  properties,
  selectColumns,
  sqlArray,
  unnested,
  UnitOfWork,
  type RowOf,
  type Tx,
} from '../../../platform/database/index.js';
import { CustomerEntity } from './entities.js';

const RECORD = selectColumns(
  CustomerEntity,
  'c',
  ...([
    'id',
    'organisationId',
    'subjectIndex',
    'sealed',
    'riskLevel',
    'riskLevelBy',
    'riskConfirmed',
  ] as const),
);

/** The part of a record that a bulk change reads. */
export type ProfileRecord = RowOf<typeof RECORD.shape>;

const FIND = prepared(
  'customers-profiles',
  `SELECT ${RECORD.sql} FROM customers c
   WHERE c.organisation_id = $1 AND c.id = ANY ($2::uuid[]) AND c.erased_at IS NULL AND c.merged_into IS NULL`,
  RECORD.shape,
);

type NewProfile = Pick<CustomerEntity, 'id' | 'sealed' | 'riskLevel' | 'riskLevelBy' | 'riskConfirmed'> & {
  readonly before: Buffer;
};

const NEW = unnested<NewProfile>({
  uuid: ['id'],
  bytea: ['before', 'sealed'],
  text: ['riskLevel', 'riskLevelBy', 'riskConfirmed'],
});
// Rows are locked in one order, so that two changes of the same customers do not deadlock.
const WRITE = prepared(
  'customers-write-profiles',
  `WITH held AS (
     SELECT c.id FROM customers c WHERE c.organisation_id = $1 AND c.id = ANY ($2::uuid[]) ORDER BY c.id FOR UPDATE)
   UPDATE customers c SET sealed = n.sealed, risk_level = n.risk_level, risk_level_by = n.risk_level_by,
     risk_confirmed = n.risk_confirmed,
     risk_single_control = c.risk_single_control AND c.risk_level = n.risk_level,
     profile_version = c.profile_version + 1, updated_at = now()
   FROM ${NEW.from(2, 'n')} JOIN held USING (id)
   WHERE c.id = n.id AND c.organisation_id = $1 AND c.sealed = n.before AND c.erased_at IS NULL AND c.merged_into IS NULL
     AND coalesce(array_position(ARRAY['LOW', 'MEDIUM', 'HIGH'], n.risk_level), 0)
         >= coalesce(array_position(ARRAY['LOW', 'MEDIUM', 'HIGH'], c.risk_level), 0)
   RETURNING c.id`,
  properties(CustomerEntity, 'id'),
);

/** Reads and writes the profiles of many customers in one statement. */
@Injectable()
export class CustomerProfileRepository {
  constructor(private readonly uow: UnitOfWork) {}

  /** Finds these records, without merged and erased ones. */
  async find(organisationId: string, ids: readonly string[]): Promise<ProfileRecord[]> {
    if (ids.length === 0) return [];
    return this.uow.rows(organisationId, FIND, [organisationId, sqlArray.uuids(ids)]);
  }

  /** Stores the profiles of records that nobody has changed since `before`, and returns their ids. */
  async write(tx: Tx, organisationId: string, rows: readonly NewProfile[]): Promise<Set<string>> {
    const writtenRows = await execute(tx, WRITE, [organisationId, ...NEW.arrays(rows)]);
    return new Set(writtenRows.map(({ id }) => id));
  }
}
