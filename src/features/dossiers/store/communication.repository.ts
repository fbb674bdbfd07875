import { Injectable } from '@nestjs/common';
import { In, LessThan } from 'typeorm';
import { AuditTrail, type ComposedEntry } from '../../audit/index.js';
import { firstUuidAt, orThrow } from '../../../platform/kernel/index.js';
import {
  column,
  execute,
  lockRow,
  notNullColumn,
  properties,
  sqlArray,
  statement,
  system,
  UnitOfWork,
  type Rows,
  type Tx,
} from '../../../platform/database/index.js';
import { KytTransactionEntity } from '../../kyt/index.js';
import { ReviewEntity } from '../../reviews/index.js';
import type { CommunicationKind } from '../data/siscoaf-layout.js';
import type { FilingStatus } from '../domain/coaf/filing.js';
import type { CommunicationRow } from '../domain/records.js';
import { CoafCommunicationEntity } from './entities.js';

/** A new draft with its audit entry. */
export interface DraftedCommunication {
  readonly row: Omit<
    CommunicationRow,
    | 'status'
    | 'revision'
    | 'filingNumber'
    | 'acknowledgement'
    | 'receivedAt'
    | `recorded${string}`
    | `confirmed${string}`
    | 'sealedContent'
    | 'contentHash'
    | 'approvalId'
    | 'singleControl'
  >;
  readonly entry: ComposedEntry;
}

export interface CommunicationFilter {
  readonly kind?: CommunicationKind | undefined;
  readonly status?: FilingStatus | undefined;
  readonly customerId?: string | undefined;
  /** If true, only unfiled communications past their due date. */
  readonly overdue?: boolean | undefined;
}

const IS_DECIDED = `r.status = 'CLOSED' AND r.report = 'COMMUNICATE'
  AND NOT EXISTS (SELECT 1 FROM coaf_communications c WHERE c.review_id = r.id AND c.kind = 'SUSPICION')`;
// How far back the search for lost jobs goes. A lost job is normally found within minutes, so three days leave a wide
// margin.
const LOST_JOB_SEARCH_MS = 3 * 86_400_000;

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

/** An evaluated cash transaction, with its customer if known. */
export type EvaluatedCashTransaction = Rows<typeof UNREPORTED_CASH>;

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

const FIND_UNDRAFTED = statement(
  'coaf.undrafted',
  `SELECT r.id, r.organisation_id AS "organisationId", r.customer_id AS "customerId",
            r.closed_at AS "decidedAt", r.report_deadline AS "dueAt"
     FROM reviews r WHERE r.id = ANY($1::uuid[]) AND ${IS_DECIDED}`,
  {
    ...properties(ReviewEntity, 'id', 'organisationId', 'customerId'),
    decidedAt: notNullColumn(column(ReviewEntity, 'closedAt')),
    dueAt: column(ReviewEntity, 'reportDeadline'),
  },
);

export type DecidedCase = Rows<typeof FIND_UNDRAFTED>;

const LOST_DECISIONS = statement(
  'coaf.lost-decisions',
  `SELECT r.id FROM reviews r WHERE ${IS_DECIDED} LIMIT $1`,
  properties(ReviewEntity, 'id'),
);

const COUNT = statement(
  'coaf.count',
  `SELECT kind, status, count(*)::int AS count FROM coaf_communications
     WHERE organisation_id = $1 AND decided_at >= $2 AND decided_at < $3 AND status <> 'DISMISSED' GROUP BY kind, status ORDER BY 1, 2`,
  { ...properties(CoafCommunicationEntity, 'kind', 'status'), count: 'integer' },
);

@Injectable()
export class CommunicationRepository {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly audit: AuditTrail,
  ) {}

  /** Stores drafts with their audit entries. Skips a draft if its transaction or case already has a communication. */
  async insert(drafted: readonly DraftedCommunication[]): Promise<void> {
    const rows = drafted.map(({ row }) => row);
    await this.uow.run(
      rows.map(({ organisationId }) => organisationId),
      async (tx) => {
        const insertion = await tx
          .createQueryBuilder()
          .insert()
          .into(CoafCommunicationEntity)
          .values(rows)
          .orIgnore()
          .returning('id')
          // If a row was skipped, TypeORM would assign the returned ids to the wrong rows.
          .updateEntity(false)
          .execute();
        const insertedIds = new Set((insertion.raw as { id: string }[]).map(({ id }) => id));
        await this.audit.append(
          tx,
          drafted.filter(({ row }) => insertedIds.has(row.id)).map(({ entry }) => entry),
        );
      },
    );
  }

  /** Returns the evaluated cash transactions of `refs` that have no communication. */
  async findUnreportedCash(refs: readonly string[]): Promise<EvaluatedCashTransaction[]> {
    return this.uow.rows(system('dossiers.coaf'), UNREPORTED_CASH, [sqlArray.plain(refs)]);
  }

  /** Returns cash transactions whose job was lost. `overdue`: only the transactions that are certainly reportable. */
  async findLostCashReports(tx: Tx, which: 'overdue' | 'all', limit: number): Promise<string[]> {
    const rows = await execute(tx, LOST_CASH[which], [
      firstUuidAt(new Date(Date.now() - LOST_JOB_SEARCH_MS)),
      limit,
    ]);
    return rows.map(({ id }) => id);
  }

  /** Returns the cases of `refs` that were closed with the decision to communicate and have no communication. */
  async findUndrafted(refs: readonly string[]): Promise<DecidedCase[]> {
    return this.uow.rows(system('dossiers.coaf'), FIND_UNDRAFTED, [sqlArray.plain(refs)]);
  }

  /** Returns the cases of all organisations that `findUndrafted` would return. */
  async findLostDecisions(tx: Tx, limit: number): Promise<string[]> {
    const rows = await execute(tx, LOST_DECISIONS, [limit]);
    return rows.map(({ id }) => id);
  }

  find(organisationId: string, id: string): Promise<CommunicationRow | null> {
    return this.uow.read(organisationId, (db) =>
      db.findOneBy(CoafCommunicationEntity, { organisationId, id }),
    );
  }

  /** Returns the given communications in no order; omits ids that the organisation does not have. */
  findMany(organisationId: string, ids: readonly string[]): Promise<CommunicationRow[]> {
    return this.uow.read(organisationId, (db) =>
      db.findBy(CoafCommunicationEntity, { organisationId, id: In([...ids]) }),
    );
  }

  /** Returns a page, the newest first, with one row more than the limit if a further page exists. */
  page(
    organisationId: string,
    { kind, status, customerId, overdue }: CommunicationFilter,
    before: string | null,
    limit: number,
  ): Promise<CommunicationRow[]> {
    return this.uow.read(organisationId, (db) => {
      const query = db.createQueryBuilder(CoafCommunicationEntity, 'c').where({ organisationId });
      if (before !== null) query.andWhere({ id: LessThan(before) });
      for (const [property, value] of Object.entries({ kind, status, customerId })) {
        if (value !== undefined) query.andWhere({ [property]: value });
      }
      if (overdue !== undefined) {
        query.andWhere(`(c.status IN ('DRAFT', 'RECORDED') AND c.due_at < now()) = :overdue`, { overdue });
      }
      return query.orderBy('c.id', 'DESC').limit(limit).getMany();
    });
  }

  /** Counts the communications that were decided from `from` until before `to`, by kind and status. */
  async count(organisationId: string, from: Date, to: Date): Promise<Rows<typeof COUNT>[]> {
    return this.uow.rows(organisationId, COUNT, [organisationId, from, to]);
  }
}

export const lockCommunication = async (
  tx: Tx,
  organisationId: string,
  id: string,
): Promise<CommunicationRow> =>
  orThrow(await lockRow(tx, CoafCommunicationEntity, { organisationId, id }), 'COMMUNICATION_NOT_FOUND');
