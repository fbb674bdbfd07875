import { Injectable } from '@nestjs/common';
import { CustomerRecordsService, type DecryptedCustomer } from '../../customers/index.js';
import { OperatorLookup, type OperatorPrincipal } from '../../../platform/http/index.js';
import {
  CasesService,
  ReviewQueries,
  type AlertRow,
  type CaseCounts,
  type QueueFilter,
  type QueueOrder,
  type ReviewRow,
} from '../../reviews/index.js';
import { HitDispositionService, type HitRow } from '../../screening/index.js';

const ALERTS_PER_CASE = 3;
export const NO_COUNTS: CaseCounts = { hits: 0, openHits: 0, notes: 0, otherOpenCases: 0 };

/** The data of a case in a list. */
export interface CaseRow {
  readonly review: ReviewRow;
  /** Null if the case has no customer. */
  readonly person: DecryptedCustomer | null;
  /** The name that was screened, if the case is about the party of a hit. */
  readonly partyName: string | null;
  /** True if the reader may see the customer's name. */
  readonly inClear: boolean;
  readonly withCustomer: boolean;
  readonly names: ReadonlyMap<string, string>;
  readonly counts: CaseCounts;
  /** Null unless requested. */
  readonly alerts: readonly AlertRow[] | null;
}

/** The filter, order and page of the cases to read, and which parts of each case. */
export interface CaseRowsRequest {
  readonly filter: QueueFilter;
  readonly order: QueueOrder;
  readonly after: readonly (string | number)[] | null;
  readonly limit: number;
  readonly alerts: boolean;
  readonly customer: boolean;
}

/** Reads a page of cases. The number of statements does not depend on the number of cases. */
@Injectable()
export class CaseRowsService {
  constructor(
    private readonly cases: CasesService,
    private readonly queries: ReviewQueries,
    private readonly customers: CustomerRecordsService,
    private readonly operators: OperatorLookup,
    private readonly hits: HitDispositionService,
  ) {}

  /** Returns a page, with one row more than the limit if a further page exists. */
  async page(operator: OperatorPrincipal, wanted: CaseRowsRequest, now: Date): Promise<CaseRow[]> {
    const { filter, order, after, limit } = wanted;
    const reviews = await this.cases.page(operator.organisationId, filter, now, after, limit, order);
    return this.readRows(operator, reviews, wanted);
  }

  async readRows(
    { organisationId, permissions }: OperatorPrincipal,
    reviews: readonly ReviewRow[],
    { alerts, customer }: Pick<CaseRowsRequest, 'alerts' | 'customer'>,
  ): Promise<CaseRow[]> {
    const ids = reviews.map(({ id }) => id);
    const [people, names, counts, alertsOf, parties] = await Promise.all([
      this.customers.getMany(
        organisationId,
        reviews.flatMap(({ customerId }) => customerId ?? []),
      ),
      this.operators.readNames(
        organisationId,
        reviews.flatMap(({ assigneeId, proposedBy, closedBy }) =>
          [assigneeId, proposedBy, closedBy].filter((one) => one !== null),
        ),
      ),
      this.queries.readCounts(organisationId, ids),
      alerts ? this.queries.listAlerts(organisationId, ids, ALERTS_PER_CASE) : null,
      this.partiesOf(organisationId, reviews),
    ]);
    const customerById = new Map(people.map((one) => [one.customer.id, one]));
    const inClear = permissions.has('customers:read');
    return reviews.map((review) => ({
      review,
      person: (review.customerId === null ? null : customerById.get(review.customerId)) ?? null,
      partyName: (review.subjectHitId === null ? null : parties.get(review.subjectHitId)) ?? null,
      inClear,
      withCustomer: customer,
      names,
      counts: counts.get(review.id) ?? NO_COUNTS,
      alerts: alertsOf === null ? null : (alertsOf.get(review.id) ?? []),
    }));
  }

  /** Returns the name that was screened, for each hit of the cases. `known`: hits that the caller has read already. */
  async partiesOf(
    organisationId: string,
    reviews: readonly ReviewRow[],
    known: readonly HitRow[] = [],
  ): Promise<ReadonlyMap<string, string | null>> {
    const ids = reviews.flatMap(({ subjectHitId }) => subjectHitId ?? []);
    const readHits = known.filter(({ id }) => ids.includes(id));
    const unreadIds = ids.filter((id) => !readHits.some((hit) => hit.id === id));
    const hits = [...readHits, ...(await this.hits.findByIds(organisationId, unreadIds))];
    const explanations = await this.hits.readExplanations(hits);
    return new Map(hits.map(({ id }, i) => [id, explanations[i]?.asked ?? null]));
  }
}
