import { Injectable } from '@nestjs/common';
import {
  CustomerRecordsService,
  type CustomerDetail,
  type DecryptedCustomer,
} from '../../customers/index.js';
import { UnitOfWork } from '../../../platform/database/index.js';
import type { OperatorPrincipal } from '../../../platform/http/index.js';
import { TransactionArchiveService, type ArchivedTransaction } from '../../kyt/index.js';
import {
  ReviewFilesService,
  ReviewQueries,
  type AlertRow,
  type CaseTransaction,
  type ReviewFile,
  type ReviewRow,
} from '../../reviews/index.js';
import { SessionEvidenceReaderService, type FullEvidence } from '../../sessions/index.js';
import { CaseContextService, type CaseContext } from './case-context.service.js';
import { CaseHitsService, type HitInCase } from './case-hits.service.js';
import { CaseRowsService, NO_COUNTS, type CaseRow } from './case-rows.service.js';

// Limits of one response. The counts of the case give the totals; other routes return the other rows.
const MAX_ALERTS = 500;
const MAX_TRANSACTIONS = 100;
const MAX_SESSIONS = 3;
const MAX_EARLIER = 20;

/** A transaction of a case, with its submission and evaluations. */
export interface TransactionInCase {
  readonly link: CaseTransaction;
  readonly whole: ArchivedTransaction;
}

/** A case with everything needed to decide it. */
export interface CaseFile extends CaseContext {
  readonly row: CaseRow;
  readonly file: ReviewFile;
  readonly customer: CustomerDetail | null;
  /** The customer, and people whom operators added to the case, keyed by customer id. */
  readonly people: ReadonlyMap<string, DecryptedCustomer>;
  readonly alerts: readonly AlertRow[];
  readonly transactions: readonly TransactionInCase[];
  readonly hits: readonly HitInCase[];
  readonly sessions: readonly FullEvidence[];
  readonly earlier: readonly ReviewRow[];
}

/** Reads a whole case for one screen, without the parts that the reader may not see. */
@Injectable()
export class CaseFileService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly files: ReviewFilesService,
    private readonly queries: ReviewQueries,
    private readonly rows: CaseRowsService,
    private readonly customers: CustomerRecordsService,
    private readonly archive: TransactionArchiveService,
    private readonly hits: CaseHitsService,
    private readonly sessions: SessionEvidenceReaderService,
    private readonly context: CaseContextService,
  ) {}

  async readFile(operator: OperatorPrincipal, id: string, now: Date): Promise<CaseFile> {
    return this.uow.batchReads(operator.organisationId, () => this.readParts(operator, id, now));
  }

  private async readParts(
    { organisationId, permissions }: OperatorPrincipal,
    id: string,
    now: Date,
  ): Promise<CaseFile> {
    const file = await this.files.readFile(organisationId, id);
    const { review } = file;
    const { customerId, sessionRef } = review;
    const transactionRefs = file.transactions.slice(0, MAX_TRANSACTIONS).map(({ ref }) => ref);
    const visibleCustomerId = customerId !== null && permissions.has('customers:read') ? customerId : null;
    const customerIds = [
      ...(customerId === null ? [] : [customerId]),
      ...file.people.map((one) => one.customerId),
    ];
    const customerById = this.customers
      .getMany(organisationId, customerIds)
      .then((all) => new Map(all.map((one) => [one.customer.id, one])));
    const [people, counts, parties, customer, alerts, transactions, hits, sessions, earlier, context] =
      await Promise.all([
        customerById,
        this.queries.readCounts(organisationId, [id]),
        this.rows.partiesOf(organisationId, [review], file.hits),
        visibleCustomerId === null
          ? null
          : customerById.then((known) =>
              this.customers.get(organisationId, visibleCustomerId, known.get(visibleCustomerId)),
            ),
        this.queries.listAlerts(organisationId, [id], MAX_ALERTS),
        permissions.has('kyt:read') ? this.archive.findByIds(organisationId, transactionRefs) : [],
        permissions.has('screening:read') ? this.hits.read(organisationId, file.hits) : [],
        permissions.has('sessions:read')
          ? this.sessions.readByCase(
              organisationId,
              { sessionRef, customerId, transactionRefs },
              MAX_SESSIONS,
            )
          : [],
        customerId === null
          ? []
          : this.queries.page(organisationId, { customerId }, now, null, MAX_EARLIER, 'NEWEST'),
        this.context.read(organisationId, file, visibleCustomerId),
      ]);
    const links = new Map(file.transactions.map((link) => [link.ref, link]));
    return {
      row: {
        ...{ review, names: context.names, withCustomer: false, alerts: null },
        person: (customerId === null ? null : people.get(customerId)) ?? null,
        partyName: (review.subjectHitId === null ? null : parties.get(review.subjectHitId)) ?? null,
        inClear: permissions.has('customers:read'),
        counts: counts.get(id) ?? NO_COUNTS,
      },
      ...{ file, customer, people, hits, sessions, ...context },
      alerts: alerts.get(id) ?? [],
      transactions: transactions.flatMap((whole) => {
        const link = links.get(whole.id);
        return link ? [{ link, whole }] : [];
      }),
      earlier: earlier.filter((one) => one.id !== id).slice(0, MAX_EARLIER),
    };
  }
}
