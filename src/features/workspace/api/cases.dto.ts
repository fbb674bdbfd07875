import { Field, PageQuery } from '../../../platform/http/index.js';
import {
  priorities,
  QUEUE,
  queueOrders,
  reviewKinds,
  reviewStatuses,
  themes,
  type Priority,
  type QueueOrder,
  type ReviewKind,
  type ReviewStatus,
  type Theme,
} from '../../reviews/index.js';

const MAX_REAIS = 1_000_000_000_000;

export class ReviewsQuery extends PageQuery {
  @Field.enum(reviewStatuses, 'Without it, cases that are not closed.', { optional: true })
  status?: ReviewStatus;

  @Field.enum(reviewKinds, 'Only those of this kind.', { optional: true }) kind?: ReviewKind;
  @Field.enum(themes, 'Only cases about this.', { optional: true }) theme?: Theme;
  @Field.enum(priorities, 'Only cases of this priority.', { optional: true }) priority?: Priority;
  @Field.text('Only cases in this queue.', { ...QUEUE, optional: true, example: 'screening' }) queue?: string;

  @Field.text('The id of an operator, `me`, or `none` for cases that nobody has.', {
    max: 36,
    pattern: /^(me|none|opr_[0-9a-f]{32})$/,
    form: 'me, none, or the id of an operator',
    optional: true,
    example: 'me',
  })
  assignee?: string;

  @Field.id('cus', 'Only those of this customer.', {
    optional: true,
    example: 'cus_019364d0c0de7000a000000000000001',
  })
  customerId?: string;
  @Field.id('txn', 'Only cases about this transaction.', {
    optional: true,
    example: 'txn_019364d0c0de7000a000000000000001',
  })
  transaction?: string;

  @Field.flag('Only cases one of whose clocks has run out, closed ones that are not communicated yet too.', {
    url: true,
    optional: true,
  })
  overdue?: boolean;

  @Field.text('A rule that counted in one of its alerts.', {
    maxLength: 64,
    optional: true,
    example: 'BR-FLOW-12',
  })
  rule?: string;

  @Field.matching(/^[A-Z]{2}$/, 'A country of one side of one of its transactions.', {
    optional: true,
    example: 'IR',
  })
  country?: string;

  @Field.id('lbk', 'The look-back that brought one of its alerts or hits.', {
    optional: true,
    example: 'lbk_019364d0c0de7000a000000000000001',
  })
  lookBack?: string;

  @Field.integer('Of its alerts together, in whole reais; a case whose amount nobody knows is in no range.', {
    ...{ min: 0, max: MAX_REAIS, url: true, optional: true, example: 10_000 },
  })
  amountFrom?: number;

  @Field.integer('Up to this amount.', {
    min: 0,
    max: MAX_REAIS,
    url: true,
    optional: true,
    example: 100_000,
  })
  amountTo?: number;
  @Field.integer('From this score.', { min: 0, max: 100, url: true, optional: true, example: 60 })
  scoreFrom?: number;
  @Field.integer('Up to this score.', { min: 0, max: 100, url: true, optional: true, example: 100 })
  scoreTo?: number;
  @Field.instant('Opened at that time or later.', { optional: true }) openedFrom?: string;
  @Field.instant('Opened before that time.', { optional: true }) openedTo?: string;

  @Field.text('Part of its title or its reason, in either language; or the id of a case or a transaction.', {
    maxLength: 100,
    optional: true,
    example: 'pass-through',
  })
  text?: string;

  @Field.enum(queueOrders, 'URGENCY: by priority, then by the clock. CLOCK: what runs out first.', {
    optional: true,
    default: 'URGENCY',
  })
  sort: QueueOrder = 'URGENCY';

  @Field.matching(/^(alerts|customer)(,(alerts|customer))?$/, 'More of each row: `alerts`, `customer`.', {
    optional: true,
    example: 'alerts,customer',
  })
  include?: string;
}
