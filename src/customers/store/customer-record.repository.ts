import { Injectable } from '@nestjs/common';
import {
  column,
  execute,
  prepared,
  properties,
  sqlArray,
  statement,
  UnitOfWork,
  type RowOf,
  type Rows,
  type Tx,
} from '../../database/index.js';
import type { PersonType } from '../domain/customer.js';
import { CustomerEntity } from './entities/customer.entity.js';

/** A customer with everything that operators deal with. */
export type ListedCustomer = RowOf<typeof LISTED>;

/** A record that was merged into another one. */
export type MergedCustomer = Rows<typeof MERGED_INTO>;

export interface CustomerFilter {
  readonly document?: Buffer | undefined;
  readonly external?: Buffer | undefined;
  readonly riskLevel?: string | undefined;
}

const COLUMNS = `id, organisation_id AS "organisationId", person_type AS "personType", assurance,
  identified_by AS "identifiedBy", identified_at AS "identifiedAt", updated_at AS "updatedAt",
  subject_index AS "subjectIndex", external_index AS external, document_index AS document, sealed,
  risk_level AS "riskLevel", to_char(relationship_ended_on, 'YYYY-MM-DD') AS "relationshipEndedOn",
  legal_hold_by AS "legalHoldBy", legal_hold_at AS "legalHoldAt", restricted_at AS "restrictedAt",
  erased_at AS "erasedAt", profile_version AS "profileVersion"`;

const LISTED = {
  ...properties(CustomerEntity, 'id', 'organisationId', 'personType', 'assurance', 'identifiedBy'),
  ...properties(CustomerEntity, 'identifiedAt', 'updatedAt', 'subjectIndex', 'sealed', 'riskLevel'),
  ...properties(CustomerEntity, 'legalHoldBy', 'legalHoldAt', 'restrictedAt', 'erasedAt', 'profileVersion'),
  external: column(CustomerEntity, 'externalIndex'),
  document: column(CustomerEntity, 'documentIndex'),
  /** `YYYY-MM-DD`. */
  relationshipEndedOn: 'text | null',
} as const;

const PAGE = statement(
  'customers.record-page',
  `SELECT ${COLUMNS} FROM customers
   WHERE organisation_id = $1 AND erased_at IS NULL AND merged_into IS NULL AND ($2::uuid IS NULL OR id < $2)
     AND ($3::bytea IS NULL OR document_index = $3)
     AND ($4::bytea IS NULL OR id IN (SELECT coalesce(m.merged_into, m.id) FROM customers m
                                      WHERE m.organisation_id = $1 AND m.external_index = $4))
     AND ($5::text IS NULL OR risk_level = $5)
   ORDER BY id DESC LIMIT $6`,
  LISTED,
);

const FIND_TEXT = `SELECT ${COLUMNS} FROM customers WHERE organisation_id = $1 AND id = $2`;
const FIND = statement('customers.find-record', FIND_TEXT, LISTED);
const LOCK = statement('customers.lock-record', `${FIND_TEXT} FOR UPDATE`, LISTED);

const MERGED_INTO = statement(
  'customers.keys-merged-into',
  `SELECT id, subject_index AS "subjectIndex", external_index AS external FROM customers
   WHERE organisation_id = $1 AND merged_into = $2 ORDER BY id`,
  { ...properties(CustomerEntity, 'id', 'subjectIndex'), external: column(CustomerEntity, 'externalIndex') },
);

const DECLARED = prepared(
  'customers-declared',
  `SELECT id, organisation_id AS "organisationId", risk_level AS "riskLevel",
          CASE WHEN profile_version > 1 AND restricted_at IS NULL THEN sealed END AS sealed
   FROM customers
   WHERE organisation_id = ANY ($1::uuid[]) AND id = ANY ($2::uuid[]) AND erased_at IS NULL
     AND (profile_version > 1 AND restricted_at IS NULL OR risk_level IS NOT NULL)`,
  { ...properties(CustomerEntity, 'id', 'organisationId', 'riskLevel'), sealed: 'bytea | null' },
);

const STORE_PROFILE = statement(
  'customers.store-profile',
  `UPDATE customers SET sealed = $2, person_type = coalesce($3, person_type), profile_version = $4 + 1,
          updated_at = now()
   WHERE id = $1 AND profile_version = $4 AND erased_at IS NULL RETURNING id`,
  properties(CustomerEntity, 'id'),
);

const RESTRICT = statement(
  'customers.restrict',
  `UPDATE customers SET restricted_at = coalesce(restricted_at, $2) WHERE id = $1`,
);

const ERASE = statement(
  'customers.erase',
  `UPDATE customers SET external_index = NULL, document_index = NULL, masked_index = NULL, subject_index = $3,
          named = false, erased_at = $2, restricted_at = coalesce(restricted_at, $2), updated_at = $2
   WHERE id = $1`,
);

/** The fields that operators read and change of customers. */
@Injectable()
export class CustomerRecordRepository {
  constructor(private readonly uow: UnitOfWork) {}

  /** Customers, the newest first, without those that were erased; one more than asked for when there are more. */
  async page(
    organisationId: string,
    filter: CustomerFilter,
    before: string | null,
    limit: number,
  ): Promise<ListedCustomer[]> {
    const { document = null, external = null, riskLevel = null } = filter;
    const values = [organisationId, before, document, external, riskLevel, limit + 1];
    return this.uow.read(organisationId, (db) => execute(db, PAGE, values));
  }

  async find(organisationId: string, id: string): Promise<ListedCustomer | null> {
    const rows = await this.uow.read(organisationId, (db) => execute(db, FIND, [organisationId, id]));
    return rows[0] ?? null;
  }

  /** The records that were merged into one. */
  async mergedInto(organisationId: string, id: string): Promise<MergedCustomer[]> {
    return this.uow.read(organisationId, (db) => execute(db, MERGED_INTO, [organisationId, id]));
  }

  async lock(tx: Tx, organisationId: string, id: string): Promise<ListedCustomer | null> {
    return (await execute(tx, LOCK, [organisationId, id]))[0] ?? null;
  }

  /** Risk levels and sealed profiles of those of these customers who were classified or of whom something was declared. */
  async declared(
    organisationIds: readonly string[],
    ids: readonly string[],
  ): Promise<Rows<typeof DECLARED>[]> {
    return this.uow.read([...organisationIds], (db) =>
      execute(db, DECLARED, [sqlArray.uuids(organisationIds), sqlArray.uuids(ids)]),
    );
  }

  /** Stores a profile; the version says that nobody else has changed it meanwhile. */
  async storeProfile(
    tx: Tx,
    id: string,
    change: { readonly sealed: Buffer; readonly personType: PersonType | null; readonly version: number },
  ): Promise<boolean> {
    const values = [id, change.sealed, change.personType, change.version];
    return (await execute(tx, STORE_PROFILE, values)).length > 0;
  }

  async setRiskLevel(tx: Tx, id: string, riskLevel: ListedCustomer['riskLevel']): Promise<void> {
    await tx.update(CustomerEntity, { id }, { riskLevel, riskLevelBy: 'OPERATOR', updatedAt: () => 'now()' });
  }

  async setRelationshipEnd(tx: Tx, id: string, day: string | null): Promise<void> {
    await tx.update(CustomerEntity, { id }, { relationshipEndedOn: day, updatedAt: () => 'now()' });
  }

  async setLegalHold(
    tx: Tx,
    id: string,
    hold: { by: string; at: Date; reason: Buffer } | null,
  ): Promise<void> {
    await tx.update(
      CustomerEntity,
      { id },
      {
        legalHoldBy: hold?.by ?? null,
        legalHoldAt: hold?.at ?? null,
        legalHoldReason: hold?.reason ?? null,
        updatedAt: () => 'now()',
      },
    );
  }

  async restrict(tx: Tx, id: string, at: Date): Promise<void> {
    await execute(tx, RESTRICT, [id, at]);
  }

  /** Takes away everything by which the person could be found; what is sealed ends with its key. */
  async erase(tx: Tx, id: string, at: Date, nobody: Buffer): Promise<void> {
    await execute(tx, ERASE, [id, at, nobody]);
  }
}
