import { Injectable } from '@nestjs/common';
import { SecondPersonService } from '../../approvals/index.js';
import {
  AuditTrail,
  FindingsService,
  stateTrailId,
  type AuditSubject,
  type TrailVerdict,
} from '../../audit/index.js';
import type { Reader } from '../../../platform/database/index.js';
import { OperatorLookup } from '../../../platform/http/index.js';
import { DomainError, invalid, publicId, type ErrorDetail } from '../../../platform/kernel/index.js';
import { HitDispositionService } from '../../screening/index.js';
import { approvesTransactions, type ReportDecision, type Resolution } from '../domain/review.js';
import { CaseTransactionReader } from '../case-transaction-reader.js';
import { ReviewQueries, type ReviewRow } from '../store/review.queries.js';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
// Maximum number of ids in the details of one error; more would not help the caller.
const MAX_NAMED = 20;

/** Checks that must pass before an operator may change or decide a case. */
@Injectable()
export class ReviewPreconditionsService {
  constructor(
    private readonly audit: AuditTrail,
    private readonly findings: FindingsService,
    private readonly hits: HitDispositionService,
    private readonly reviews: ReviewQueries,
    private readonly operators: OperatorLookup,
    private readonly secondPerson: SecondPersonService,
    private readonly caseTransactionReader: CaseTransactionReader,
  ) {}

  /** Throws VALIDATION_FAILED if the operator may not work on cases. */
  async requireReviewer(organisationId: string, operatorId: string): Promise<void> {
    const operatorSummary = (await this.operators.listEnabled(organisationId)).find(
      ({ id }) => id === operatorId,
    );
    if (operatorSummary?.permissions.has('reviews:work') === true) return;
    throw invalid(
      'assigneeId',
      'NOT_A_REVIEWER',
      'Must be an operator of this organisation who may work on reviews.',
    );
  }

  /**
   * Throws FOUR_EYES_REQUIRED if the resolution approves and the organisation does not allow single control. For a
   * caller who decides alone.
   */
  async refuseSingleControl(reader: Reader, organisationId: string, resolution: Resolution): Promise<void> {
    if (approvesTransactions(resolution)) {
      await this.secondPerson.requireSingleControl(reader, organisationId);
    }
  }

  /**
   * Throws MANDATORY_REVIEW_OPEN if the resolution approves while a mandatory hit is undecided: of the case, or of the
   * transactions that it would release, in whichever case the hit is now. Reads with `reader`.
   */
  async refuseOpenHits(reader: Reader, review: ReviewRow, resolution: Resolution): Promise<void> {
    if (!approvesTransactions(resolution)) return;
    const { organisationId, id } = review;
    const open = await this.hits.findUndecided(reader, organisationId, {
      customerIds: await this.reviews.listCustomerIds(organisationId, id, reader),
      hitIds: await this.reviews.listHitIds(organisationId, id, reader),
    });
    if (open.length === 0) return;
    throw new DomainError('MANDATORY_REVIEW_OPEN', {
      details: open.slice(0, MAX_NAMED).map(({ id }) => ({
        path: 'hits',
        code: publicId('hit', id),
        message: 'Nobody has decided about this hit.',
      })),
    });
  }

  /**
   * Throws RELATED_TRANSACTIONS_OPEN if a case that is communicated lacks payments of its customer around the alerts.
   * Must run outside of a transaction.
   */
  async refuseMissingTransactions(review: ReviewRow, report: ReportDecision): Promise<void> {
    if (report !== 'COMMUNICATE') return;
    const missingIds = await this.caseTransactionReader.transactionsAround(review, MAX_NAMED);
    if (missingIds.length === 0) return;
    throw new DomainError('RELATED_TRANSACTIONS_OPEN', {
      details: missingIds.map((ref) => ({
        path: 'transactions',
        code: publicId('txn', ref),
        message: 'The payment is not in the case.',
      })),
    });
  }

  /**
   * Throws AUDIT_TRAIL_INCOMPLETE if a trail has a gap: of the case, its customer, its session, its hits and their
   * lists, one of its transactions, or the permissions of an operator of the case. Must run outside of a transaction,
   * because it reads with connections of its own.
   * @param by the operator who decides
   */
  async refuseBrokenTrails(review: ReviewRow, by: string | null = null): Promise<void> {
    const { organisationId, id, customerId, sessionRef, assigneeId, proposedBy, closedBy } = review;
    const [transactions, hitIds] = await Promise.all([
      this.reviews.listTransactions(organisationId, id),
      this.reviews.listHitIds(organisationId, id),
    ]);
    const lists = (await this.hits.findByIds(organisationId, hitIds)).map(({ listId }) => listId);
    const people = [assigneeId, proposedBy, closedBy, by].filter((one) => one !== null && UUID.test(one));
    const subjects: AuditSubject[] = [
      { organisationId, type: 'review', id },
      ...(customerId === null ? [] : [{ organisationId, type: 'customer' as const, id: customerId }]),
      ...(sessionRef === null ? [] : [{ organisationId, type: 'session' as const, id: sessionRef }]),
      ...hitIds.map((hit) => ({ organisationId, type: 'screening_hit' as const, id: hit })),
      ...transactions.map(({ transactionRef }) => ({
        organisationId,
        type: 'transaction' as const,
        id: transactionRef,
      })),
      ...[...new Set(lists)].map((list) => ({ organisationId, type: 'screening_list' as const, id: list })),
      // The full trail of an operator contains every login; only the chain of the row's state matters here.
      ...[...new Set(people)].map((person) => ({
        organisationId,
        type: 'state' as const,
        id: stateTrailId({ type: 'operator', id: person ?? '' }),
      })),
    ];
    const details: ErrorDetail[] = [];
    const broken: AuditSubject[] = [];
    for (const subject of subjects) {
      const verdict = await this.audit.trailStatus(subject);
      if (verdict.gaps.length > 0) {
        details.push(...gapsOf(subject, verdict));
        broken.push(subject);
      }
      if (details.length >= MAX_NAMED) break;
    }
    if (broken.length === 0) return;
    await this.findings.recordRefusedTrails(organisationId, broken);
    throw new DomainError('AUDIT_TRAIL_INCOMPLETE', { details });
  }
}

const PREFIX = {
  review: 'rev',
  customer: 'cus',
  session: 'kys',
  screening_hit: 'hit',
  transaction: 'txn',
} as const;

function gapsOf({ type, id }: AuditSubject, { gaps }: TrailVerdict): ErrorDetail[] {
  const prefix = (PREFIX as Readonly<Record<string, (typeof PREFIX)[keyof typeof PREFIX] | undefined>>)[type];
  const path = `${type}:${prefix === undefined ? id : publicId(prefix, id)}`;
  return gaps.map(({ kind, seq, detail }) => ({
    path,
    code: kind,
    message: seq === null ? `${detail}.` : `Entry ${seq}: ${detail}.`,
  }));
}
