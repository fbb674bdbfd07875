import { Injectable } from '@nestjs/common';
import {
  column,
  execute,
  present,
  properties,
  statement,
  system,
  UnitOfWork,
  type RowOf,
  type Rows,
  type Tx,
} from '../../database/index.js';
import type { RiskLevel } from '../domain/merging.js';
import { CustomerEntity } from './entities/customer.entity.js';

/** A record as it is when two are made one. */
export type MergeableCustomer = RowOf<typeof MERGEABLE>;

/** The values that the surviving record takes over from the other one. */
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

const MERGEABLE = {
  ...properties(CustomerEntity, 'id', 'organisationId', 'subjectIndex', 'sealed', 'riskLevel', 'legalHoldBy'),
  ...properties(CustomerEntity, 'legalHoldAt', 'legalHoldReason', 'restrictedAt', 'erasedAt', 'mergedInto'),
  external: column(CustomerEntity, 'externalIndex'),
  document: column(CustomerEntity, 'documentIndex'),
  /** `YYYY-MM-DD`. */
  relationshipEndedOn: 'text | null',
} as const;

const READ_TEXT = `SELECT ${COLUMNS} FROM customers WHERE organisation_id = $1 AND id = ANY ($2::uuid[])`;
const READ = statement('customers.mergeable', READ_TEXT, MERGEABLE);
const LOCK = statement('customers.lock-mergeable', `${READ_TEXT} ORDER BY id FOR UPDATE`, MERGEABLE);

const ABSORB = statement(
  'customers.absorb',
  `UPDATE customers SET sealed = $2, named = named OR $3, risk_level = $4, relationship_ended_on = $5,
          restricted_at = $6, profile_version = profile_version + 1, updated_at = now(),
          legal_hold_by = coalesce(legal_hold_by, $7), legal_hold_at = coalesce(legal_hold_at, $8),
          legal_hold_reason = CASE WHEN legal_hold_at IS NULL THEN $9 ELSE legal_hold_reason END
   WHERE id = $1`,
);

const LATELY = statement(
  'customers.merged-lately',
  `SELECT c.organisation_id AS "organisationId", c.id AS "from", c.merged_into AS into,
          s.subject_index AS "subjectIndex",
          extract(epoch FROM clock_timestamp() - c.merged_at)::float8 AS "ageSeconds"
   FROM customers c JOIN customers s ON s.id = c.merged_into
   WHERE c.merged_at > now() - make_interval(secs => $1)`,
  {
    ...properties(CustomerEntity, 'organisationId', 'subjectIndex'),
    from: column(CustomerEntity, 'id'),
    into: present(column(CustomerEntity, 'mergedInto')),
    ageSeconds: 'float8',
  },
);

const REKEYED_LATELY = statement(
  'customers.rekeyed-lately',
  `SELECT id, keys_changed_at::text AS at FROM customers
   WHERE keys_changed_at > now() - make_interval(secs => $1)`,
  { ...properties(CustomerEntity, 'id'), at: 'text' },
);

/** Makes two records one. */
@Injectable()
export class MergeRepository {
  constructor(private readonly uow: UnitOfWork) {}

  async read(organisationId: string, ids: readonly string[]): Promise<MergeableCustomer[]> {
    return this.uow.read(organisationId, (db) => execute(db, READ, [organisationId, ids]));
  }

  /** Both, held until the transaction ends; always in the same order, so that nobody waits for each other. */
  async lock(tx: Tx, organisationId: string, ids: readonly string[]): Promise<MergeableCustomer[]> {
    return execute(tx, LOCK, [organisationId, ids]);
  }

  async absorb(tx: Tx, id: string, absorbed: Absorbed): Promise<void> {
    const { sealed, named, riskLevel, relationshipEndedOn, restrictedAt, hold } = absorbed;
    const held = [hold?.by ?? null, hold?.at ?? null, hold?.reason ?? null];
    await execute(tx, ABSORB, [id, sealed, named, riskLevel, relationshipEndedOn, restrictedAt, ...held]);
  }

  async markMerged(tx: Tx, { from, into }: { readonly from: string; readonly into: string }): Promise<void> {
    await tx.update(
      CustomerEntity,
      { id: from },
      { mergedInto: into, mergedAt: () => 'clock_timestamp()', updatedAt: () => 'now()' },
    );
  }

  /** Returns the merges of the last seconds, of all organisations. */
  async lately(seconds: number): Promise<Rows<typeof LATELY>[]> {
    return this.uow.read(system('customers.merges-seen'), (db) => execute(db, LATELY, [seconds]));
  }

  /** Customers whose keys changed in the last seconds. */
  async rekeyedLately(seconds: number): Promise<Rows<typeof REKEYED_LATELY>[]> {
    return this.uow.read(system('customers.merges-seen'), (db) => execute(db, REKEYED_LATELY, [seconds]));
  }
}
