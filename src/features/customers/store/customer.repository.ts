import { Injectable } from '@nestjs/common';
import { IsNull, MoreThan } from 'typeorm';
import {
  execute,
  prepared,
  properties,
  selectColumns,
  sqlArray,
  statement,
  unnested,
  UnitOfWork,
  type Rows,
  type Tx,
} from '../../../platform/database/index.js';
import type { PersonType } from '../domain/customer.js';
import { CustomerEntity } from './entities.js';

/** A record found by one of its keys. */
export type FoundRow = Rows<typeof FIND_CUSTOMERS>;
export type CustomerRow = Omit<FoundRow, 'merged'>;

export type NewCustomer = Omit<CustomerRow, 'personType'> &
  Readonly<
    Pick<CustomerEntity, 'clientAppId' | 'assurance' | 'identifiedBy' | 'maskedIndex' | 'trailHash'>
  > & { readonly personType: PersonType };

/**
 * Maximum number of additional external ids per person. Each costs a merge, for which its batch waits 0.1 s. A client
 * that sends more is numbering payments, not people.
 */
export const MAX_IDS = 5;

const mergedOf = (one: string): string =>
  `(SELECT count(*)::int FROM customers m WHERE m.merged_into = ${one}.id) AS merged`;
const ROW = selectColumns(
  CustomerEntity,
  'c',
  ...(['id', 'organisationId', 'personType', 'subjectIndex'] as const),
  ...(['externalIndex', 'documentIndex', 'sealed', 'named'] as const),
);

const FIND_CUSTOMERS = prepared(
  'customers-any',
  `SELECT ${ROW.sql}, ${mergedOf('c')} FROM customers c
   WHERE (organisation_id, document_index) IN
           (SELECT * FROM unnest($1::uuid[], $2::bytea[]) AS d (o, i) WHERE i IS NOT NULL)
   UNION
   SELECT s.id, s.organisation_id, s.person_type, s.subject_index, c.external_index, s.document_index,
          s.sealed, s.named, ${mergedOf('s')}
   FROM customers c JOIN customers s ON s.id = coalesce(c.merged_into, c.id)
   WHERE (c.organisation_id, c.external_index) IN
           (SELECT * FROM unnest($1::uuid[], $3::bytea[]) AS e (o, i) WHERE i IS NOT NULL)`,
  // `merged`: how many records were merged into the record.
  { ...ROW.shape, merged: 'integer' },
);

const NEW = unnested<NewCustomer>(
  { uuid: ['id', 'organisationId', 'clientAppId'], text: ['personType', 'assurance', 'identifiedBy'] },
  { bytea: ['subjectIndex', 'externalIndex', 'documentIndex', 'maskedIndex', 'sealed', 'trailHash'] },
  { boolean: ['named'] },
);
// Rows are inserted in one order, so that two batches with the same new customers do not deadlock.
const INSERT = prepared(
  'customers-insert',
  `INSERT INTO customers (${NEW.columns}) SELECT * FROM ${NEW.from()}
   ORDER BY organisation_id, document_index, external_index
   ON CONFLICT DO NOTHING RETURNING id`,
  properties(CustomerEntity, 'id'),
);

const ENRICH = statement(
  'customers.enrich',
  `UPDATE customers c SET external_index = coalesce(external_index, CASE WHEN NOT EXISTS
       (SELECT 1 FROM customers o WHERE o.organisation_id = $2 AND o.id <> $1 AND o.external_index = $3)
       THEN $3::bytea END), document_index = coalesce(document_index, $4),
     masked_index = coalesce(masked_index, $5), sealed = $6, subject_index = $7, person_type = $8, named = named OR $9,
     updated_at = now(),
     keys_changed_at = CASE WHEN subject_index <> $7 THEN clock_timestamp()
                            ELSE keys_changed_at END,
     assurance = CASE WHEN $4::bytea IS NULL THEN assurance ELSE 'DOCUMENT' END
   WHERE id = $1 AND organisation_id = $2 AND merged_into IS NULL AND sealed = $10
     AND NOT EXISTS (SELECT 1 FROM customers o WHERE o.organisation_id = $2 AND o.id <> $1
                     AND o.merged_into IS DISTINCT FROM $1
                     AND (o.external_index = $3 OR o.document_index = $4))
   RETURNING id`,
  properties(CustomerEntity, 'id'),
);

@Injectable()
export class CustomerRepository {
  constructor(private readonly uow: UnitOfWork) {}

  /** Finds the records with these keys; the id of a merged record finds the surviving record. */
  async findAny(
    keys: readonly { organisationId: string; external: Buffer | null; document: Buffer | null }[],
  ): Promise<FoundRow[]> {
    return this.uow.rows(
      keys.map(({ organisationId }) => organisationId),
      FIND_CUSTOMERS,
      [
        sqlArray.uuids(keys.map(({ organisationId }) => organisationId)),
        sqlArray.bytes(keys.map(({ document }) => document)),
        sqlArray.bytes(keys.map(({ external }) => external)),
      ],
    );
  }

  /** Inserts customers and returns the ids of the new rows; customers with a key that exists already are skipped. */
  async insert(tx: Tx, customers: readonly NewCustomer[]): Promise<Set<string>> {
    const rows = await execute(tx, INSERT, NEW.arrays(customers));
    return new Set(rows.map(({ id }) => id));
  }

  /**
   * Stores an extended profile; false if another record has one of its keys, or the record was merged or changed. The
   * external id of a merged record stays with the merged record.
   */
  async enrich(
    tx: Tx,
    customer: Pick<NewCustomer, keyof CustomerRow | 'maskedIndex'>,
    before: Buffer,
  ): Promise<boolean> {
    const rows = await execute(tx, ENRICH, [
      customer.id,
      customer.organisationId,
      customer.externalIndex,
      customer.documentIndex,
      customer.maskedIndex,
      customer.sealed,
      customer.subjectIndex,
      customer.personType,
      customer.named,
      before,
    ]);
    return rows.length > 0;
  }

  async page(organisationId: string, after: string | null, limit: number): Promise<CustomerEntity[]> {
    return this.uow.read(organisationId, (db) =>
      db.find(CustomerEntity, {
        select: { id: true, organisationId: true, personType: true, subjectIndex: true, sealed: true },
        where: {
          ...{ organisationId, erasedAt: IsNull(), mergedInto: IsNull() },
          ...(after !== null && { id: MoreThan(after) }),
        },
        order: { id: 'ASC' },
        take: limit,
      }),
    );
  }

  /** Finds the record with this id, or its surviving record after a merge. */
  async find(organisationId: string, id: string): Promise<CustomerEntity | null> {
    return this.uow.read(organisationId, async (db) => {
      const record = await db.findOneBy(CustomerEntity, { organisationId, id });
      return record?.mergedInto
        ? db.findOneBy(CustomerEntity, { organisationId, id: record.mergedInto })
        : record;
    });
  }
}
