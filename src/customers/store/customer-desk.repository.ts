import { Injectable } from '@nestjs/common';
import { execute, sqlArray, UnitOfWork, type Tx } from '../../database/index.js';
import type { PersonType } from '../domain/customer.js';

/** A customer with everything that operators deal with. */
export interface DeskCustomer {
  readonly id: string;
  readonly organisationId: string;
  readonly personType: PersonType | null;
  readonly assurance: 'DECLARED' | 'DOCUMENT' | 'VERIFIED';
  readonly identifiedBy: 'KYT' | 'SESSION' | 'OPERATOR';
  readonly identifiedAt: Date;
  readonly updatedAt: Date;
  readonly subjectIndex: Buffer;
  readonly external: Buffer | null;
  readonly document: Buffer | null;
  readonly sealed: Buffer;
  readonly riskLevel: 'LOW' | 'MEDIUM' | 'HIGH' | null;
  /** `YYYY-MM-DD`. */
  readonly relationshipEndedOn: string | null;
  readonly legalHoldBy: string | null;
  readonly legalHoldAt: Date | null;
  readonly restrictedAt: Date | null;
  readonly erasedAt: Date | null;
  readonly profileVersion: number;
}

/** A record that was merged into another one. */
export interface MergedCustomer {
  readonly id: string;
  readonly subjectIndex: Buffer;
  readonly external: Buffer | null;
}

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

/** What operators read and change of customers. */
@Injectable()
export class CustomerDeskRepository {
  constructor(private readonly uow: UnitOfWork) {}

  /** Customers, the newest first, without those that were erased; one more than asked for when there are more. */
  async page(
    organisationId: string,
    filter: CustomerFilter,
    before: string | null,
    limit: number,
  ): Promise<DeskCustomer[]> {
    return this.uow.read(organisationId, (db) =>
      db.query(
        `SELECT ${COLUMNS} FROM customers
         WHERE organisation_id = $1 AND erased_at IS NULL AND merged_into IS NULL AND ($2::uuid IS NULL OR id < $2)
           AND ($3::bytea IS NULL OR document_index = $3)
           AND ($4::bytea IS NULL OR id IN (SELECT coalesce(m.merged_into, m.id) FROM customers m
                                            WHERE m.organisation_id = $1 AND m.external_index = $4))
           AND ($5::text IS NULL OR risk_level = $5)
         ORDER BY id DESC LIMIT $6`,
        [
          organisationId,
          before,
          filter.document ?? null,
          filter.external ?? null,
          filter.riskLevel ?? null,
          limit + 1,
        ],
      ),
    );
  }

  async find(organisationId: string, id: string): Promise<DeskCustomer | null> {
    const rows: DeskCustomer[] = await this.uow.read(organisationId, (db) =>
      db.query(`SELECT ${COLUMNS} FROM customers WHERE organisation_id = $1 AND id = $2`, [
        organisationId,
        id,
      ]),
    );
    return rows[0] ?? null;
  }

  /** The records that were merged into one. */
  async mergedInto(organisationId: string, id: string): Promise<MergedCustomer[]> {
    return this.uow.read(organisationId, (db) =>
      db.query(
        `SELECT id, subject_index AS "subjectIndex", external_index AS external FROM customers
         WHERE organisation_id = $1 AND merged_into = $2 ORDER BY id`,
        [organisationId, id],
      ),
    );
  }

  async lock(tx: Tx, organisationId: string, id: string): Promise<DeskCustomer | null> {
    const rows: DeskCustomer[] = await tx.query(
      `SELECT ${COLUMNS} FROM customers WHERE organisation_id = $1 AND id = $2 FOR UPDATE`,
      [organisationId, id],
    );
    return rows[0] ?? null;
  }

  /** Sealed profiles of those of these customers of whom something was declared. */
  async declared(
    organisationIds: readonly string[],
    ids: readonly string[],
  ): Promise<{ id: string; organisationId: string; sealed: Buffer }[]> {
    return this.uow.read([...organisationIds], (db) =>
      execute(
        db,
        {
          name: 'customers-declared',
          text: `SELECT id, organisation_id AS "organisationId", sealed FROM customers
                 WHERE organisation_id = ANY ($1::uuid[]) AND id = ANY ($2::uuid[]) AND profile_version > 1
                   AND erased_at IS NULL AND restricted_at IS NULL`,
        },
        [sqlArray.uuids(organisationIds), sqlArray.uuids(ids)],
      ),
    );
  }

  /** Stores a profile; the version says that nobody else has changed it meanwhile. */
  async storeProfile(
    tx: Tx,
    id: string,
    change: { readonly sealed: Buffer; readonly personType: PersonType | null; readonly version: number },
  ): Promise<boolean> {
    const [rows]: [unknown[], number] = await tx.query(
      `UPDATE customers SET sealed = $2, person_type = coalesce($3, person_type), profile_version = $4 + 1,
              updated_at = now()
       WHERE id = $1 AND profile_version = $4 AND erased_at IS NULL RETURNING id`,
      [id, change.sealed, change.personType, change.version],
    );
    return rows.length > 0;
  }

  async setRiskLevel(tx: Tx, id: string, level: string | null): Promise<void> {
    await tx.query(
      `UPDATE customers SET risk_level = $2, risk_level_by = 'OPERATOR', updated_at = now() WHERE id = $1`,
      [id, level],
    );
  }

  async setRelationshipEnd(tx: Tx, id: string, day: string | null): Promise<void> {
    await tx.query(`UPDATE customers SET relationship_ended_on = $2, updated_at = now() WHERE id = $1`, [
      id,
      day,
    ]);
  }

  async setLegalHold(
    tx: Tx,
    id: string,
    hold: { by: string; at: Date; reason: Buffer } | null,
  ): Promise<void> {
    await tx.query(
      `UPDATE customers SET legal_hold_by = $2, legal_hold_at = $3, legal_hold_reason = $4, updated_at = now()
       WHERE id = $1`,
      [id, hold?.by ?? null, hold?.at ?? null, hold?.reason ?? null],
    );
  }

  async restrict(tx: Tx, id: string, at: Date): Promise<void> {
    await tx.query(`UPDATE customers SET restricted_at = coalesce(restricted_at, $2) WHERE id = $1`, [
      id,
      at,
    ]);
  }

  /** Takes away everything by which the person could be found; what is sealed ends with its key. */
  async erase(tx: Tx, id: string, at: Date, nobody: Buffer): Promise<void> {
    await tx.query(
      `UPDATE customers SET external_index = NULL, document_index = NULL, masked_index = NULL, subject_index = $3,
              named = false, erased_at = $2, restricted_at = coalesce(restricted_at, $2), updated_at = $2
       WHERE id = $1`,
      [id, at, nobody],
    );
  }
}
