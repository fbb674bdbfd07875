import { maskedDocument, type DecryptedCustomer } from '../../customers/index.js';
import { Field, View, viewOf } from '../../../platform/http/index.js';
import { publicId } from '../../../platform/kernel/index.js';
import {
  priorities,
  priorityOf,
  resolutions,
  reviewKinds,
  reviewStatuses,
  themes,
} from '../../reviews/index.js';
import { hitStatuses, listKinds } from '../../screening/index.js';
import type { SearchFindings } from '../operator-search.service.js';
import type { FoundCase, FoundHit, FoundTransaction } from '../store/record-search.queries.js';

export class OperatorSearchQuery {
  @Field.text(
    'A name (also mistyped or begun, from three letters on), CPF or CNPJ, an id of the institution (customer, account or ' +
      'transaction), an id of ours (`cus_`, `rev_`, `txn_`, `hit_`, `req_`), or amounts: `R$ 1.234,56`, `1000..5000`, `>= 50000`.',
    { max: 200, pattern: /^\s*\S[\s\S]*\S\s*$/u, form: 'at least two characters', example: 'Joao da Sliva' },
  )
  q: string;
}

export class SearchCustomerView {
  @View.id('cus', 'The id of the customer.') id: string;
  @View.textOrNull('The name of the customer.', { example: 'Maria Exemplo' }) name: string | null;
  @View.textOrNull('The CPF or CNPJ, masked.', { example: '***.982.247-**' }) documentMasked: string | null;
  @View.textOrNull('Your id of the customer.', { example: 'customer-4711' })
  externalCustomerId: string | null;
  @View.enumOrNull(['NATURAL', 'LEGAL'], 'A natural or a legal person.') personType: string | null;
  @View.enumOrNull(['LOW', 'MEDIUM', 'HIGH'], 'The level of risk of the customer.') riskLevel: string | null;

  static of({ customer, profile }: DecryptedCustomer): SearchCustomerView {
    return {
      id: publicId('cus', customer.id),
      name: profile?.name ?? null,
      documentMasked: maskedDocument(profile),
      externalCustomerId: profile?.externalCustomerId ?? null,
      personType: customer.personType,
      riskLevel: customer.riskLevel,
    };
  }
}

export class SearchCaseView {
  @View.id('rev', 'The id of the case.') id: string;
  @View.enum(reviewKinds, 'The kind of case.', { example: 'SCORE' }) kind: string;
  @View.enum(themes, 'What the case is about.', { example: 'STRUCTURING' }) theme: string;
  @View.enum(reviewStatuses, 'The status of the case.', { example: 'OPEN' }) status: string;
  @View.enum(priorities, 'How urgent it is.', { example: 'HIGH' }) priority: string;
  @View.text('The line in which it waits.', { example: 'transactions' }) queue: string;
  @View.integer('How many points it adds to the score.', { example: 74 }) points: number;
  @View.integer('How many transactions there are.', { example: 3 }) transactionCount: number;
  @View.enumOrNull(resolutions, 'What the case ends with.') resolution: string | null;
  @View.idOrNull('cus', 'The id of the customer; null while nobody is identified.') customerId: string | null;
  @View.textOrNull('Null for whoever may not read customers.', { example: 'Maria Exemplo' })
  customerName: string | null;
  @View.textOrNull('Who works on it; null for nobody.', { example: null }) assigneeId: string | null;
  @View.instant('When it was opened.') openedAt: string;
  @View.instant('Until when it has to be done.') dueAt: string;

  static of(row: FoundCase, { named }: SearchFindings): SearchCaseView {
    return viewOf(SearchCaseView, row, {
      priority: priorityOf(row.priority),
      transactionCount: row.linked,
      customerId: row.customerId === null ? null : publicId('cus', row.customerId),
      customerName: row.customerId === null ? null : (named.get(row.customerId)?.profile?.name ?? null),
      assigneeId: row.assigneeId === null ? null : publicId('opr', row.assigneeId),
    });
  }
}

export class SearchTransactionView {
  @View.id('txn', 'The id of the transaction.') id: string;
  @View.text("The institution's id.", { example: 'pix-1' }) transactionId: string;
  @View.text('The type of the transaction.', { example: 'PIX_TRANSFER' }) type: string;
  @View.text('Exact decimal.', { example: '1234.56' }) amount: string;
  @View.text('The currency, ISO 4217 alpha-3.', { example: 'BRL' }) currency: string;
  @View.enumOrNull(['IN', 'OUT'], 'Whether the money goes out or in.') direction: string | null;
  @View.instant('When it took place.') occurredAt: string;

  static of(row: FoundTransaction): SearchTransactionView {
    return viewOf(SearchTransactionView, row, {});
  }
}

export class SearchHitView {
  @View.id('hit', 'The id of the hit.') id: string;
  @View.text('The list, by its key.', { example: 'un-consolidated' }) list: string;
  @View.enum(listKinds, 'The kind of list.', { example: 'SANCTIONS' }) listKind: string;
  @View.enum(hitStatuses, 'The status of the hit.', { example: 'PENDING' }) status: string;
  @View.flag('Nothing is approved before somebody has decided about it.', { example: true })
  mandatory: boolean;
  @View.number('How alike the names are, 0 to 1.', { example: 0.94, minimum: 0, maximum: 1 }) score: number;
  @View.idOrNull('cus', 'Null when it names somebody who is not a customer.') customerId: string | null;
  @View.textOrNull('Null for whoever may not read customers.', { example: 'Maria Exemplo' })
  customerName: string | null;
  @View.instant('When it was found.') foundAt: string;

  static of(row: FoundHit, { named }: SearchFindings): SearchHitView {
    const { customerId } = row;
    return viewOf(SearchHitView, row, {
      customerName: customerId === null ? null : (named.get(customerId)?.profile?.name ?? null),
    });
  }
}

export class SearchFindingsView {
  @View.list(SearchCustomerView, 'At most 20, the most alike first.')
  customers: readonly SearchCustomerView[];

  @View.list(SearchCaseView, 'At most 20, open ones first. By amount among the 20,000 newest alerts.')
  cases: readonly SearchCaseView[];

  @View.list(SearchTransactionView, 'At most 20.') transactions: readonly SearchTransactionView[];

  @View.list(
    SearchHitView,
    'Of the customers that were found, and of the other parties of their payments; at most 20, open ones first.',
  )
  hits: readonly SearchHitView[];

  static of(found: SearchFindings): SearchFindingsView {
    return {
      customers: found.customers.map((one) => SearchCustomerView.of(one)),
      cases: found.cases.map((one) => SearchCaseView.of(one, found)),
      transactions: found.transactions.map((one) => SearchTransactionView.of(one)),
      hits: found.hits.map((one) => SearchHitView.of(one, found)),
    };
  }
}
