import { Injectable } from '@nestjs/common';
import { In, IsNull, LessThan } from 'typeorm';
import {
  lockRow,
  prepared,
  properties,
  sqlArray,
  UnitOfWork,
  type Rows,
  type Tx,
} from '../../../platform/database/index.js';
import { CustomerEntity } from './entities.js';
import { HAS_PEOPLE } from './relation.statements.js';

export interface CustomerFilter {
  readonly document: Buffer | undefined;
  readonly external: Buffer | undefined;
  readonly riskLevel: CustomerEntity['riskLevel'] | undefined;
}

const FIND_RISK_PROFILES = prepared(
  'customers-declared',
  `SELECT * FROM (
     SELECT id, organisation_id AS "organisationId", risk_level AS "riskLevel",
            risk_single_control AS "riskSingleControl",
            risk_level_by AS "riskLevelBy", risk_confirmed AS "riskConfirmed",
            CASE WHEN profile_version > 1 AND restricted_at IS NULL THEN sealed END AS sealed,
            ${HAS_PEOPLE} AS "hasPeople"
     FROM customers c
     WHERE organisation_id = ANY ($1::uuid[]) AND id = ANY ($2::uuid[]) AND erased_at IS NULL
   ) c WHERE sealed IS NOT NULL OR "riskLevel" IS NOT NULL OR "hasPeople"`,
  {
    ...properties(
      CustomerEntity,
      'id',
      'organisationId',
      'riskLevel',
      'riskSingleControl',
      'riskLevelBy',
      'riskConfirmed',
    ),
    sealed: 'bytea | null',
    hasPeople: 'boolean',
  },
);

/** The columns of a customer that rules read; the profile is still encrypted. */
export type StoredRiskProfile = Rows<typeof FIND_RISK_PROFILES>;

/**
 * Returns how many records were merged into a record: after a merge, a request about a part of the person no longer
 * applies.
 */
export const countMergedRecords = (tx: Tx, organisationId: string, id: string): Promise<number> =>
  tx.countBy(CustomerEntity, { organisationId, mergedInto: id });

/** The records of customers as operators read them. */
@Injectable()
export class CustomerRecordRepository {
  constructor(private readonly uow: UnitOfWork) {}

  /** Returns customers, the newest first, without merged and erased ones; `limit` + 1 rows when there are more. */
  async page(
    organisationId: string,
    { document, external, riskLevel }: CustomerFilter,
    before: string | null,
    limit: number,
  ): Promise<CustomerEntity[]> {
    return this.uow.read(organisationId, (db) => {
      const query = db
        .createQueryBuilder(CustomerEntity, 'c')
        .where({ organisationId, erasedAt: IsNull(), mergedInto: IsNull() })
        .orderBy('c.id', 'DESC')
        .limit(limit + 1);
      if (before !== null) query.andWhere({ id: LessThan(before) });
      if (document) query.andWhere({ documentIndex: document });
      if (riskLevel) query.andWhere({ riskLevel });
      if (external) {
        query.andWhere(
          `c.id IN (SELECT coalesce(m.merged_into, m.id) FROM customers m
                    WHERE m.organisation_id = :organisationId AND m.external_index = :external)`,
          { organisationId, external },
        );
      }
      return query.getMany();
    });
  }

  async find(organisationId: string, id: string): Promise<CustomerEntity | null> {
    return this.uow.read(organisationId, (db) => db.findOneBy(CustomerEntity, { organisationId, id }));
  }

  async findMany(organisationId: string, ids: readonly string[]): Promise<CustomerEntity[]> {
    if (ids.length === 0) return [];
    return this.uow.read(organisationId, (db) =>
      db.findBy(CustomerEntity, { organisationId, id: In([...ids]) }),
    );
  }

  /** Returns the records that were merged into a record, the oldest first. */
  async mergedInto(organisationId: string, id: string): Promise<CustomerEntity[]> {
    return this.uow.read(organisationId, (db) =>
      db.find(CustomerEntity, { where: { organisationId, mergedInto: id }, order: { id: 'ASC' } }),
    );
  }

  async lock(tx: Tx, organisationId: string, id: string): Promise<CustomerEntity | null> {
    return lockRow(tx, CustomerEntity, { organisationId, id }, 'pessimistic_write');
  }

  /** Finds the given customers that have a risk level, a declaration, or an owner or representative. */
  async findRiskProfiles(
    organisationIds: readonly string[],
    ids: readonly string[],
  ): Promise<StoredRiskProfile[]> {
    return this.uow.rows([...organisationIds], FIND_RISK_PROFILES, [
      sqlArray.uuids(organisationIds),
      sqlArray.uuids(ids),
    ]);
  }
}
