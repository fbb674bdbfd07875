import { Injectable } from '@nestjs/common';
import type { CustomerMove } from '../../customers/index.js';
import {
  column,
  execute,
  properties,
  selectColumns,
  sqlArray,
  statement,
  type RowOf,
  type Tx,
} from '../../../platform/database/index.js';
import type { HitStatus } from '../domain/hit.js';
import { ScreeningHitEntity, ScreeningListEntity } from './entities.js';

const HIT_COLUMNS = selectColumns(ScreeningHitEntity, 'h', 'id', 'listId', 'entryKey', 'status', 'mandatory');
const COLUMNS = `${HIT_COLUMNS.sql}, l.key AS "listKey", encode(h.entry_hash, 'hex') AS "entryHash"`;
const SHAPE = {
  ...HIT_COLUMNS.shape,
  listKey: column(ScreeningListEntity, 'key'),
  entryHash: 'text',
} as const;

/** A hit that moves to another customer record or subject key, with the fields to compare with a hit there. */
export type MergingHit = RowOf<typeof SHAPE>;

const FROM = 'FROM screening_hits h JOIN screening_lists l ON l.id = h.list_id';

const LOCK_OTHER_HITS = statement(
  'screening.lock-other-hits',
  `SELECT ${COLUMNS} ${FROM}
   WHERE h.organisation_id = $1 AND h.customer_id = $2 AND h.subject_index <> $3 AND h.for_customer_id IS NULL
   ORDER BY array_position(ARRAY['CONFIRMED', 'ESCALATED', 'PENDING', 'DISMISSED_FALSE_POSITIVE'], h.status), h.id
   FOR UPDATE OF h`,
  SHAPE,
);

const LOCK_UNDER = statement(
  'screening.lock-hits-under-key',
  `SELECT ${COLUMNS} ${FROM}
   WHERE h.organisation_id = $1 AND h.subject_index = $2 AND h.for_customer_id IS NULL
     AND (h.list_id, h.entry_key) IN (SELECT * FROM unnest($3::uuid[], $4::text[]))
   ORDER BY h.id FOR UPDATE OF h`,
  SHAPE,
);

const LOCK_OF_CUSTOMERS = statement(
  'screening.lock-hits-of-customers',
  `SELECT h.id FROM screening_hits h
   WHERE h.organisation_id = $1 AND (h.customer_id = ANY ($2::uuid[]) OR h.for_customer_id = ANY ($2::uuid[]))
   ORDER BY h.id FOR UPDATE`,
  properties(ScreeningHitEntity, 'id'),
);

const LOCK_TWINS = statement(
  'screening.lock-twin-hits',
  `SELECT ${COLUMNS} ${FROM} JOIN screening_hits d ON d.organisation_id = $1 AND d.id = $2
   WHERE h.organisation_id = $1 AND h.customer_id = d.customer_id AND h.id <> d.id
     AND (h.list_id, h.entry_key, h.entry_hash) = (d.list_id, d.entry_key, d.entry_hash)
     AND h.for_customer_id IS NULL AND d.for_customer_id IS NULL
     AND h.status = ANY ($3::text[]) AND (d.mandatory OR NOT h.mandatory)
   ORDER BY h.id FOR UPDATE OF h`,
  SHAPE,
);

const TAKE_OVER = statement(
  'screening.take-over-decision',
  `UPDATE screening_hits h SET status = o.status, decided_by = o.decided_by, decided_at = o.decided_at,
          justification = NULL, decided_as = coalesce(o.decided_as, o.id), expires_at = o.expires_at,
          single_control = o.single_control
   FROM screening_hits o WHERE h.organisation_id = $1 AND h.id = $2 AND o.organisation_id = $1 AND o.id = $3`,
);

// If the surviving customer has its own hit about the person, that hit is used.
const GO_WITH_CUSTOMER = statement(
  'screening.go-with-customer',
  `UPDATE screening_hits h SET for_customer_id = $3 WHERE h.organisation_id = $1 AND h.for_customer_id = $2
     AND NOT EXISTS (SELECT FROM screening_hits o WHERE o.organisation_id = $1 AND o.for_customer_id = $3
       AND (o.subject_index, o.list_id, o.entry_key) = (h.subject_index, h.list_id, h.entry_key))`,
);

/** Moves the hits of a merged customer to the surviving customer. */
@Injectable()
export class HitMergeRepository {
  /** Returns and locks the customer's hits under other subject keys, the gravest first. */
  async lockCustomerHits(
    tx: Tx,
    { organisationId, from, subjectIndex }: CustomerMove,
  ): Promise<MergingHit[]> {
    return execute(tx, LOCK_OTHER_HITS, [organisationId, from, subjectIndex]);
  }

  /** Returns and locks the hits about the same entries under the new subject key. */
  async lockBySubject(
    tx: Tx,
    { organisationId, subjectIndex }: CustomerMove,
    hits: readonly MergingHit[],
  ): Promise<MergingHit[]> {
    return execute(tx, LOCK_UNDER, [
      organisationId,
      subjectIndex,
      sqlArray.plain(hits.map(({ listId }) => listId)),
      sqlArray.text(hits.map(({ entryKey }) => entryKey)),
    ]);
  }

  /** Locks the hits about these customers and about their counterparties, and returns their ids. */
  async lockOfCustomers(tx: Tx, organisationId: string, customerIds: readonly string[]): Promise<string[]> {
    const rows = await execute(tx, LOCK_OF_CUSTOMERS, [organisationId, sqlArray.uuids(customerIds)]);
    return rows.map(({ id }) => id);
  }

  /** Returns and locks the hits with these states that are about the same customer and entry as a decided hit. */
  async lockTwins(
    tx: Tx,
    organisationId: string,
    id: string,
    statuses: readonly HitStatus[],
  ): Promise<MergingHit[]> {
    return execute(tx, LOCK_TWINS, [organisationId, id, sqlArray.text(statuses)]);
  }

  /** Moves hits about the customer's counterparties to the surviving customer. */
  async moveToCustomer(tx: Tx, organisationId: string, from: string, into: string): Promise<void> {
    await execute(tx, GO_WITH_CUSTOMER, [organisationId, from, into]);
  }

  /** Copies the disposition of another hit, with its author and time. */
  async copyDecision(tx: Tx, organisationId: string, id: string, from: string): Promise<void> {
    await execute(tx, TAKE_OVER, [organisationId, id, from]);
  }
}
