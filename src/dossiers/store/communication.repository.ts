import { Injectable } from '@nestjs/common';
import { firstUuidAt } from '../../kernel/index.js';
import {
  column,
  execute,
  present,
  properties,
  selectedBut,
  sqlArray,
  statement,
  system,
  UnitOfWork,
  type Rows,
  type Tx,
} from '../../database/index.js';
import { KytTransactionEntity } from '../../kyt/index.js';
import { ReviewEntity } from '../../reviews/index.js';
import type { CommunicationKind } from '../data/siscoaf-layout.js';
import type { FilingStatus } from '../domain/coaf/filing.js';
import type { CommunicationRow } from '../domain/records.js';
import { CoafCommunicationEntity } from './entities/coaf-communication.entity.js';

export type NewCommunication = Pick<
  CommunicationRow,
  | 'id'
  | 'organisationId'
  | 'kind'
  | 'reviewId'
  | 'transactionRef'
  | 'customerId'
  | 'code'
  | 'amountBrl'
  | 'decidedAt'
  | 'dueAt'
  | 'createdAt'
  | 'trailHash'
>;

export interface CommunicationFilter {
  readonly kind?: CommunicationKind | undefined;
  readonly status?: FilingStatus | undefined;
  readonly customerId?: string | undefined;
  /** Only what is not filed although its day has passed. */
  readonly overdue?: boolean | undefined;
}

const STORED = selectedBut(CoafCommunicationEntity, 'c', 'contentHash');
const COMMUNICATION = {
  sql: `${STORED.sql}, encode(c.content_hash, 'hex') AS "contentHash"`,
  shape: { ...STORED.shape, contentHash: 'text | null' },
} as const;
const ID = properties(CoafCommunicationEntity, 'id');

const DECIDED = `r.status = 'CLOSED' AND r.report = 'COMMUNICATE'
  AND NOT EXISTS (SELECT 1 FROM coaf_communications c WHERE c.review_id = r.id AND c.kind = 'SUSPICION')`;
const OVERDUE = `status <> 'FILED' AND due_at < now()`;
// Jobs that were lost are looked for this far back; a job is lost for minutes.
const LOOK_BACK_MS = 3 * 86_400_000;

const INSERT = statement(
  'coaf.insert',
  `INSERT INTO coaf_communications (id, organisation_id, kind, review_id, transaction_ref, customer_id, code,
                                    amount_brl, decided_at, due_at, created_at, trail_hash)
   SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::uuid[], $5::uuid[], $6::uuid[], $7::int[],
                        $8::numeric[], $9::timestamptz[], $10::timestamptz[], $11::timestamptz[], $12::bytea[])
   ON CONFLICT DO NOTHING RETURNING id`,
  ID,
);

const UNREPORTED_CASH = statement(
  'coaf.unreported-cash',
  `SELECT t.id, t.organisation_id AS "organisationId", t.type, t.direction, t.amount::text AS amount,
            t.currency, t.occurred_at AS "occurredAt",
            (SELECT c.id FROM customers c WHERE c.organisation_id = t.organisation_id
               AND (c.document_index = t.document_key OR c.external_index = t.external_key)
             ORDER BY c.document_index = t.document_key DESC NULLS LAST LIMIT 1) AS "customerId"
     FROM kyt_transactions t
     WHERE t.id = ANY($1::uuid[]) AND t.cash
       AND NOT EXISTS (SELECT 1 FROM kyt_work w WHERE w.transaction_ref = t.id)
       AND NOT EXISTS (SELECT 1 FROM coaf_communications c WHERE c.transaction_ref = t.id AND c.kind = 'CASH')`,
  {
    ...properties(
      KytTransactionEntity,
      'id',
      'organisationId',
      'type',
      'direction',
      'currency',
      'occurredAt',
    ),
    amount: 'text',
    customerId: 'uuid | null',
  },
);

/** An operation in cash that was evaluated, with the customer whose it is, as far as known. */
export type EvaluatedCash = Rows<typeof UNREPORTED_CASH>;

const lostCash = (condition: string): string => `SELECT t.id FROM kyt_transactions t
       WHERE t.id >= $1 AND t.cash ${condition}
         AND t.received_at < now() - interval '10 seconds'
         AND NOT EXISTS (SELECT 1 FROM kyt_work w WHERE w.transaction_ref = t.id)
         AND NOT EXISTS (SELECT 1 FROM coaf_communications c WHERE c.transaction_ref = t.id AND c.kind = 'CASH')
       LIMIT $2`;

const LOST_CASH = {
  overdue: statement(
    'coaf.lost-large-cash',
    lostCash(`AND t.amount >= 50000 AND t.currency = 'BRL'`),
    properties(KytTransactionEntity, 'id'),
  ),
  all: statement('coaf.lost-cash', lostCash(''), properties(KytTransactionEntity, 'id')),
};

const UNDRAFTED = statement(
  'coaf.undrafted',
  `SELECT r.id, r.organisation_id AS "organisationId", r.customer_id AS "customerId",
            r.closed_at AS "decidedAt", r.report_deadline AS "dueAt"
     FROM reviews r WHERE r.id = ANY($1::uuid[]) AND ${DECIDED}`,
  {
    ...properties(ReviewEntity, 'id', 'organisationId', 'customerId'),
    decidedAt: present(column(ReviewEntity, 'closedAt')),
    dueAt: column(ReviewEntity, 'reportDeadline'),
  },
);

/** A case that was closed with the decision to communicate. */
export type DecidedCase = Rows<typeof UNDRAFTED>;

const LOST_DECISIONS = statement(
  'coaf.lost-decisions',
  `SELECT r.id FROM reviews r WHERE ${DECIDED} LIMIT $1`,
  properties(ReviewEntity, 'id'),
);

const FIND = statement(
  'coaf.find',
  `SELECT ${COMMUNICATION.sql} FROM coaf_communications c WHERE organisation_id = $1 AND id = $2`,
  COMMUNICATION.shape,
);

const PAGE = statement(
  'coaf.page',
  `SELECT ${COMMUNICATION.sql} FROM coaf_communications c
     WHERE organisation_id = $1 AND ($2::uuid IS NULL OR id < $2) AND ($3::text IS NULL OR kind = $3)
       AND ($4::text IS NULL OR status = $4) AND ($5::uuid IS NULL OR customer_id = $5)
       AND ($6::boolean IS NULL OR (${OVERDUE}) = $6)
     ORDER BY id DESC LIMIT $7`,
  COMMUNICATION.shape,
);

const RECORD = statement(
  'coaf.record',
  `UPDATE coaf_communications SET status = 'RECORDED', filing_number = $3, acknowledgement = $4, received_at = $5,
     recorded_by = $6, recorded_at = $7, sealed_content = $8, content_hash = $9
   WHERE organisation_id = $1 AND id = $2 AND status = 'DRAFT' RETURNING id`,
  ID,
);

const CONFIRM = statement(
  'coaf.confirm',
  `UPDATE coaf_communications SET status = 'FILED', confirmed_by = $3, confirmed_at = $4
   WHERE organisation_id = $1 AND id = $2 AND status = 'RECORDED' AND recorded_by <> $3 RETURNING id`,
  ID,
);

const REFUSE = statement(
  'coaf.refuse',
  `UPDATE coaf_communications SET status = 'DRAFT', filing_number = NULL, acknowledgement = NULL,
     received_at = NULL, recorded_by = NULL, recorded_at = NULL, sealed_content = NULL, content_hash = NULL
   WHERE organisation_id = $1 AND id = $2 AND status = 'RECORDED' RETURNING id`,
  ID,
);

const COUNT = statement(
  'coaf.count',
  `SELECT kind, status, count(*)::int AS count FROM coaf_communications
     WHERE organisation_id = $1 AND decided_at >= $2 AND decided_at < $3 GROUP BY kind, status ORDER BY 1, 2`,
  { ...properties(CoafCommunicationEntity, 'kind', 'status'), count: 'integer' },
);

@Injectable()
export class CommunicationRepository {
  constructor(private readonly uow: UnitOfWork) {}

  /** Inserts those whose operation or case has none yet and returns their ids. */
  async insert(tx: Tx, rows: readonly NewCommunication[]): Promise<Set<string>> {
    const { plain, text, bytes } = sqlArray;
    const inserted: { id: string }[] = await execute(tx, INSERT, [
      plain(rows.map((row) => row.id)),
      plain(rows.map((row) => row.organisationId)),
      text(rows.map((row) => row.kind)),
      plain(rows.map((row) => row.reviewId)),
      plain(rows.map((row) => row.transactionRef)),
      plain(rows.map((row) => row.customerId)),
      plain(rows.map((row) => row.code)),
      plain(rows.map((row) => row.amountBrl)),
      plain(rows.map((row) => row.decidedAt.toISOString())),
      plain(rows.map((row) => row.dueAt.toISOString())),
      plain(rows.map((row) => row.createdAt.toISOString())),
      bytes(rows.map((row) => row.trailHash)),
    ]);
    return new Set(inserted.map(({ id }) => id));
  }

  /** Those of the operations that are evaluated and have no communication yet. */
  async unreportedCash(refs: readonly string[]): Promise<EvaluatedCash[]> {
    return this.uow.read(system('dossiers.coaf'), (db) =>
      execute(db, UNREPORTED_CASH, [sqlArray.plain(refs)]),
    );
  }

  /** Operations whose job was lost: all in cash when the queue was emptied, else those that surely want a report. */
  async lostCash(tx: Tx, which: 'overdue' | 'all', limit: number): Promise<string[]> {
    const rows = await execute(tx, LOST_CASH[which], [
      firstUuidAt(new Date(Date.now() - LOOK_BACK_MS)),
      limit,
    ]);
    return rows.map(({ id }) => id);
  }

  /** Those of the cases that were closed with the decision to communicate, and have no communication yet. */
  async undrafted(refs: readonly string[]): Promise<DecidedCase[]> {
    return this.uow.read(system('dossiers.coaf'), (db) => execute(db, UNDRAFTED, [sqlArray.plain(refs)]));
  }

  /** Cases that `undrafted` would return, whoever they belong to. */
  async lostDecisions(tx: Tx, limit: number): Promise<string[]> {
    const rows = await execute(tx, LOST_DECISIONS, [limit]);
    return rows.map(({ id }) => id);
  }

  async find(organisationId: string, id: string): Promise<CommunicationRow | null> {
    const rows = await this.uow.read(organisationId, (db) => execute(db, FIND, [organisationId, id]));
    return rows[0] ?? null;
  }

  /** The newest first; up to one more than asked for, when there are more. */
  async page(
    organisationId: string,
    filter: CommunicationFilter,
    before: string | null,
    limit: number,
  ): Promise<CommunicationRow[]> {
    return this.uow.read(organisationId, (db) =>
      execute(db, PAGE, [
        organisationId,
        before,
        filter.kind ?? null,
        filter.status ?? null,
        filter.customerId ?? null,
        filter.overdue ?? null,
        limit,
      ]),
    );
  }

  /** Takes a draft to RECORDED; false when it is no draft any more. */
  async record(
    tx: Tx,
    { organisationId, id }: Pick<CommunicationRow, 'organisationId' | 'id'>,
    filing: {
      readonly number: string;
      readonly acknowledgement: string | null;
      readonly receivedAt: Date;
      readonly by: string;
      readonly at: Date;
      readonly sealed: Buffer;
      readonly hash: Buffer;
    },
  ): Promise<boolean> {
    const rows = await execute(tx, RECORD, [
      organisationId,
      id,
      filing.number,
      filing.acknowledgement,
      filing.receivedAt,
      filing.by,
      filing.at,
      filing.sealed,
      filing.hash,
    ]);
    return rows.length > 0;
  }

  /** Takes what was recorded to FILED; false when it was not recorded, or by this same person. */
  async confirm(tx: Tx, row: CommunicationRow, by: string, at: Date): Promise<boolean> {
    const rows = await execute(tx, CONFIRM, [row.organisationId, row.id, by, at]);
    return rows.length > 0;
  }

  /** Takes what was recorded back to DRAFT. */
  async refuse(tx: Tx, row: CommunicationRow): Promise<boolean> {
    const rows = await execute(tx, REFUSE, [row.organisationId, row.id]);
    return rows.length > 0;
  }

  /** How many communications of each kind and status belong to a span of time, by when they were decided. */
  async count(organisationId: string, from: Date, to: Date): Promise<Rows<typeof COUNT>[]> {
    return this.uow.read(organisationId, (db) => execute(db, COUNT, [organisationId, from, to]));
  }
}
