import { Controller, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  CurrentOperator,
  cursorKeys,
  envelope,
  forOperator,
  page,
  Route,
  type CursorKeys,
  type CursorKind,
  type OperatorPrincipal,
} from '../../../platform/http/index.js';
import { Clock, uuidInFilter, uuidOf } from '../../../platform/kernel/index.js';
import {
  operatorUuid,
  rankOf,
  REVIEW_ID,
  reviewUuid,
  type QueueFilter,
  type QueueOrder,
  type ReviewRow,
} from '../../reviews/index.js';
import { CaseFileService } from '../cases/case-file.service.js';
import { CaseRowsService } from '../cases/case-rows.service.js';
import { CaseFileView } from './case-file.view.dto.js';
import { CaseRowView } from './case-row.view.dto.js';
import { ReviewsQuery } from './cases.dto.js';

const CURSOR_KEYS: Readonly<
  Record<QueueOrder, { readonly kinds: readonly CursorKind[]; readonly of: (row: ReviewRow) => CursorKeys }>
> = {
  URGENCY: {
    kinds: ['integer', 'instant', 'uuid'],
    of: ({ priority, dueAt, id }) => [priority, dueAt.toISOString(), id],
  },
  CLOCK: { kinds: ['instant', 'uuid'], of: ({ dueAt, id }) => [dueAt.toISOString(), id] },
  OLDEST: { kinds: ['uuid'], of: ({ id }) => [id] },
  NEWEST: { kinds: ['uuid'], of: ({ id }) => [id] },
  AMOUNT: { kinds: ['integer', 'uuid'], of: ({ amountCents, id }) => [Number(amountCents ?? -1), id] },
  POINTS: { kinds: ['integer', 'uuid'], of: ({ points, id }) => [points, id] },
};

/** Lists cases, and returns a case with everything needed to decide it. */
@ApiTags('Reviews')
@Controller('operator/reviews')
export class CasesController {
  constructor(
    private readonly rows: CaseRowsService,
    private readonly caseFiles: CaseFileService,
    private readonly clock: Clock,
  ) {}

  @Route.get('', forOperator('reviews:read'), {
    summary: 'Cases, the most urgent first',
    description:
      'Each with its title, the sentence of its gravest reason, the name of the customer (the first letters without ' +
      '`customers:read`), amount, age, clock and counts. Without `status`, those that are not closed. A cursor goes ' +
      'with the `sort` that it was made in.',
    page: [CaseRowView, 'One page of cases.'],
  })
  async listReviews(@CurrentOperator() operator: OperatorPrincipal, @Query() query: ReviewsQuery) {
    const { limit, cursor, sort, include = '' } = query;
    const now = new Date(this.clock.now());
    const { kinds, of } = CURSOR_KEYS[sort];
    const filter = {
      filter: filterOf(operator, query),
      order: sort,
      after: cursorKeys(cursor, ...kinds),
      limit,
      alerts: include.includes('alerts'),
      customer: include.includes('customer'),
    };
    const rows = await this.rows.page(operator, filter, now);
    return page(
      rows,
      limit,
      ({ review }) => of(review),
      (row) => CaseRowView.ofRow(row, now),
    );
  }

  @Route.get(':id/file', forOperator('reviews:read'), {
    reads: 'review',
    summary: 'A whole case in one answer',
    description:
      'Customer, alerts, transactions with their sentences and what was looked at, hits beside the entries of the lists, ' +
      'sessions with answers and files, earlier cases, notes, timeline, clocks and requests. What needs a permission ' +
      'that the caller has not is left out.',
    params: [REVIEW_ID],
    data: [CaseFileView, 'The case.'],
    errors: ['REVIEW_NOT_FOUND'],
  })
  async getReviewFile(@CurrentOperator() operator: OperatorPrincipal, @Param('id') id: string) {
    const now = new Date(this.clock.now());
    return envelope(CaseFileView.of(await this.caseFiles.readFile(operator, reviewUuid(id), now), now));
  }
}

/** Converts a query into a filter. A search text in the form of a case id finds that case. */
export function filterOf(operator: OperatorPrincipal, query: ReviewsQuery): QueueFilter {
  const { status, kind, theme, priority, queue, assignee, customerId, transaction, overdue, text } = query;
  const { rule, country, amountFrom, amountTo, scoreFrom, scoreTo, openedFrom, openedTo, lookBack } = query;
  const caseId = text === undefined ? null : uuidOf('rev', text);
  const textual = text === undefined ? null : uuidOf('txn', text);
  return {
    ...{ status, kind, theme, queue, overdue, rule, country, scoreFrom, scoreTo },
    // An overdue case may be closed already, with its communication still missing.
    open: overdue === true || caseId !== null ? undefined : true,
    priority: priority && rankOf(priority),
    assigneeId:
      assignee === undefined ? undefined : assignee === 'none' ? null : operatorUuid(operator, assignee),
    customerId: uuidInFilter('cus', customerId, 'customerId'),
    transactionRef: uuidInFilter('txn', transaction, 'transaction') ?? textual ?? undefined,
    lookBack: uuidInFilter('lbk', lookBack, 'lookBack'),
    amountFrom: amountFrom === undefined ? undefined : amountFrom * 100,
    amountTo: amountTo === undefined ? undefined : amountTo * 100,
    openedFrom: openedFrom === undefined ? undefined : new Date(openedFrom),
    openedTo: openedTo === undefined ? undefined : new Date(openedTo),
    ids: caseId === null ? undefined : [caseId],
    text: caseId === null && textual === null ? text : undefined,
  };
}
