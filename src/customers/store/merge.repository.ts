import { Injectable } from '@nestjs/common';
import { system, UnitOfWork, type Tx } from '../../database/index.js';
import type { Move, RiskLevel } from '../domain/merging.js';

/** A record as it is when two are made one. */
export interface MergeableCustomer {
  readonly id: string;
  readonly organisationId: string;
  readonly external: Buffer | null;
  readonly document: Buffer | null;
  readonly subjectIndex: Buffer;
  readonly sealed: Buffer;
  readonly riskLevel: RiskLevel | null;
  /** `YYYY-MM-DD`. */
  readonly relationshipEndedOn: string | null;
  readonly legalHoldBy: string | null;
  readonly legalHoldAt: Date | null;
  readonly legalHoldReason: Buffer | null;
  readonly restrictedAt: Date | null;
  readonly erasedAt: Date | null;
  readonly mergedInto: string | null;
}

/** What of the other record the one that stays takes over. */
export interface Absorbed {
  readonly sealed: Buffer;
  readonly named: boolean;
  readonly riskLevel: RiskLevel | null;
  readonly relationshipEndedOn: string | null;
  readonly restrictedAt: Date | null;
  readonly hold: { readonly by: string; readonly at: Date; readonly reason: Buffer | null } | null;
}

const COLUMNS = `id, organisation_id AS "organisationId", external_index AS external, document_index AS document,
  subject_index AS "subjectIndex", sealed,
  risk_level AS "riskLevel", to_char(relationship_ended_on, 'YYYY-MM-DD') AS "relationshipEndedOn",
  legal_hold_by AS "legalHoldBy", legal_hold_at AS "legalHoldAt", legal_hold_reason AS "legalHoldReason",
  restricted_at AS "restrictedAt", erased_at AS "erasedAt", merged_into AS "mergedInto"`;

/** Makes two records one. */
@Injectable()
export class MergeRepository {
  constructor(private readonly uow: UnitOfWork) {}

  async read(organisationId: string, ids: readonly string[]): Promise<MergeableCustomer[]> {
    return this.uow.read(organisationId, (db) =>
      db.query(`SELECT ${COLUMNS} FROM customers WHERE organisation_id = $1 AND id = ANY ($2::uuid[])`, [
        organisationId,
        ids,
      ]),
    );
  }

  /** Both, held until the transaction ends; always in the same order, so that nobody waits for each other. */
  async lock(tx: Tx, organisationId: string, ids: readonly string[]): Promise<MergeableCustomer[]> {
    return tx.query(
      `SELECT ${COLUMNS} FROM customers WHERE organisation_id = $1 AND id = ANY ($2::uuid[]) ORDER BY id FOR UPDATE`,
      [organisationId, ids],
    );
  }

  async absorb(tx: Tx, id: string, absorbed: Absorbed): Promise<void> {
    const { sealed, named, riskLevel, relationshipEndedOn, restrictedAt, hold } = absorbed;
    await tx.query(
      `UPDATE customers SET sealed = $2, named = named OR $3, risk_level = $4, relationship_ended_on = $5,
              restricted_at = $6, profile_version = profile_version + 1, updated_at = now(),
              legal_hold_by = coalesce(legal_hold_by, $7), legal_hold_at = coalesce(legal_hold_at, $8),
              legal_hold_reason = CASE WHEN legal_hold_at IS NULL THEN $9 ELSE legal_hold_reason END
       WHERE id = $1`,
      [
        id,
        sealed,
        named,
        riskLevel,
        relationshipEndedOn,
        restrictedAt,
        hold?.by ?? null,
        hold?.at ?? null,
        hold?.reason ?? null,
      ],
    );
  }

  async markMerged(tx: Tx, { from, into }: { readonly from: string; readonly into: string }): Promise<void> {
    await tx.query(
      `UPDATE customers SET merged_into = $2, merged_at = clock_timestamp(), updated_at = now() WHERE id = $1`,
      [from, into],
    );
  }

  /** What was merged in the last seconds, of everybody. */
  async lately(seconds: number): Promise<(Move & { readonly ageSeconds: number })[]> {
    return this.uow.read(system('customers.merges-seen'), (db) =>
      db.query(
        `SELECT c.organisation_id AS "organisationId", c.id AS "from", c.merged_into AS into,
                s.subject_index AS "subjectIndex",
                extract(epoch FROM clock_timestamp() - c.merged_at)::float8 AS "ageSeconds"
         FROM customers c JOIN customers s ON s.id = c.merged_into
         WHERE c.merged_at > now() - make_interval(secs => $1)`,
        [seconds],
      ),
    );
  }

  /** Whose keys changed in the last seconds. */
  async rekeyedLately(seconds: number): Promise<{ readonly id: string; readonly at: string }[]> {
    return this.uow.read(system('customers.merges-seen'), (db) =>
      db.query(
        `SELECT id, keys_changed_at::text AS at FROM customers
         WHERE keys_changed_at > now() - make_interval(secs => $1)`,
        [seconds],
      ),
    );
  }
}
