import { Injectable } from '@nestjs/common';
import { CustomerRecordsService, type DecryptedCustomer } from '../customers/index.js';
import type { OperatorPrincipal } from '../../platform/http/index.js';
import { BlindIndex } from '../../platform/privacy/index.js';
import { parseSearchText, type SearchQuestion } from './domain/question.js';
import { CustomerNameSearch } from './names/name-search.js';
import {
  RecordSearchQueries,
  type FoundCase,
  type FoundHit,
  type FoundTransaction,
} from './store/record-search.queries.js';

/** Maximum number of results of each kind. A search is for finding one record; lists are for browsing. */
const LIMIT = 20;

/** The matching records that the operator may read. */
export interface SearchFindings {
  readonly customers: readonly DecryptedCustomer[];
  readonly cases: readonly FoundCase[];
  readonly transactions: readonly FoundTransaction[];
  readonly hits: readonly FoundHit[];
  /** The customers of the found cases and hits, by stored id. */
  readonly named: ReadonlyMap<string, DecryptedCustomer>;
}

/** Finds customers, cases, transactions and hits by the text of one search field. */
@Injectable()
export class OperatorSearchService {
  constructor(
    private readonly index: BlindIndex,
    private readonly names: CustomerNameSearch,
    private readonly records: RecordSearchQueries,
    private readonly customers: CustomerRecordsService,
  ) {}

  async find({ organisationId, permissions }: OperatorPrincipal, text: string): Promise<SearchFindings> {
    const question = parseSearchText(text);
    const mayCustomers = permissions.has('customers:read');
    const mayCases = permissions.has('reviews:read');
    const transactions = permissions.has('kyt:read')
      ? await this.findTransactions(organisationId, question)
      : [];
    const customers = mayCustomers ? await this.findPeople(organisationId, question) : [];
    const cases = mayCases ? await this.findCases(organisationId, question, customers, transactions) : [];
    const hits = permissions.has('screening:read')
      ? await this.records.findHits(
          organisationId,
          question.hitId,
          customers.map(({ customer }) => customer.id),
          LIMIT,
        )
      : [];
    const customerIds = mayCustomers
      ? [...new Set([...cases, ...hits].flatMap(({ customerId }) => customerId ?? []))]
      : [];
    const customerById = new Map(customers.map((one) => [one.customer.id, one]));
    const otherCustomers = await this.customers.getMany(
      organisationId,
      customerIds.filter((id) => !customerById.has(id)),
    );
    for (const one of otherCustomers) customerById.set(one.customer.id, one);
    return { customers, cases, transactions, hits, named: customerById };
  }

  private async findPeople(organisationId: string, question: SearchQuestion): Promise<DecryptedCustomer[]> {
    const { customerId, document, reference, name } = question;
    const keyOf = (kind: 'customer' | 'account' | 'document', value: string): Buffer =>
      this.index.computeIndex(organisationId, kind, value);
    const keys = [
      ...(document && !document.isMasked ? [keyOf('document', document.canonical())] : []),
      ...(reference === null ? [] : [keyOf('customer', reference)]),
      ...(reference === null
        ? []
        : await this.records.findAccountUserKeys(organisationId, keyOf('account', reference))),
    ];
    const ids =
      keys.length > 0 || customerId !== null
        ? await this.records.findCustomers(organisationId, keys, customerId)
        : [];
    const exact = await this.customers.getMany(organisationId, ids);
    if (name === null) return exact.slice(0, LIMIT);
    const byName = await this.names.find(organisationId, name, LIMIT);
    const exactIds = new Set(exact.map(({ customer }) => customer.id));
    return [...exact, ...byName.filter(({ customer }) => !exactIds.has(customer.id))].slice(0, LIMIT);
  }

  private async findTransactions(
    organisationId: string,
    question: SearchQuestion,
  ): Promise<FoundTransaction[]> {
    const { transactionRef: ref, request, reference } = question;
    if (ref === null && request === null && reference === null) return [];
    const account = reference === null ? null : this.index.computeIndex(organisationId, 'account', reference);
    const transactionQuery = { ref, request, transactionId: reference, account };
    const transactionRows = await this.records.findTransactions(organisationId, transactionQuery, LIMIT);
    return [...new Map(transactionRows.map((one) => [one.id, one])).values()];
  }

  private async findCases(
    organisationId: string,
    { reviewId, amounts }: SearchQuestion,
    customers: readonly DecryptedCustomer[],
    transactions: readonly FoundTransaction[],
  ): Promise<FoundCase[]> {
    const casesOfCustomers = await this.records.findCases(
      organisationId,
      reviewId,
      customers.map(({ customer }) => customer.id),
      transactions.map(({ id }) => id),
      LIMIT,
    );
    if (!amounts || casesOfCustomers.length === LIMIT) return casesOfCustomers;
    const byAmount = await this.records.findCasesByAmount(organisationId, amounts, LIMIT);
    const foundIds = new Set(casesOfCustomers.map(({ id }) => id));
    return [...casesOfCustomers, ...byAmount.filter(({ id }) => !foundIds.has(id))].slice(0, LIMIT);
  }
}
