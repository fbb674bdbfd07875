import { In, IsNull, type SelectQueryBuilder } from 'typeorm';
import type { Reader } from '../../../platform/database/index.js';
import { IS_UNENDED, type ReviewKind, type ReviewStatus, type Theme } from '../domain/review.js';
import { ReviewEntity } from './entities.js';

/** The filter of a case list. */
export interface QueueFilter {
  readonly status?: ReviewStatus | undefined;
  /** Only open cases; ignored when `status` is set. */
  readonly open?: boolean | undefined;
  readonly kind?: ReviewKind | undefined;
  readonly theme?: Theme | undefined;
  readonly priority?: number | undefined;
  readonly queue?: string | undefined;
  /** An operator id, or `null` for unassigned cases. */
  readonly assigneeId?: string | null | undefined;
  readonly customerId?: string | undefined;
  readonly transactionRef?: string | undefined;
  readonly overdue?: boolean | undefined;
  readonly rule?: string | undefined;
  readonly country?: string | undefined;
  /** Only cases with an alert or a hit that this look-back raised. */
  readonly lookBack?: string | undefined;
  /** Bounds in centavos (BRL); cases without a known amount never match. */
  readonly amountFrom?: number | undefined;
  readonly amountTo?: number | undefined;
  readonly scoreFrom?: number | undefined;
  readonly scoreTo?: number | undefined;
  readonly openedFrom?: Date | undefined;
  readonly openedTo?: Date | undefined;
  /** A substring of the title or text of the lead reason. */
  readonly text?: string | undefined;
  readonly ids?: readonly string[] | undefined;
}

/** The sort orders of case lists. The id is always the last key. */
export const queueOrders = ['URGENCY', 'CLOCK', 'NEWEST', 'OLDEST', 'AMOUNT', 'POINTS'] as const;
export type QueueOrder = (typeof queueOrders)[number];

const AMOUNT = 'coalesce(r.amount_cents, -1)';
const ORDERS = {
  URGENCY: { keys: ['r.priority', 'r.due_at', 'r.id'], types: ['int', 'timestamptz', 'uuid'], way: 'ASC' },
  CLOCK: { keys: ['r.due_at', 'r.id'], types: ['timestamptz', 'uuid'], way: 'ASC' },
  OLDEST: { keys: ['r.id'], types: ['uuid'], way: 'ASC' },
  NEWEST: { keys: ['r.id'], types: ['uuid'], way: 'DESC' },
  AMOUNT: { keys: [AMOUNT, 'r.id'], types: ['bigint', 'uuid'], way: 'DESC' },
  POINTS: { keys: ['r.points', 'r.id'], types: ['int', 'uuid'], way: 'DESC' },
} as const;

/** The sort keys of the last case of the previous page. */
export type QueueCursor = readonly (string | number)[];

/** True if a deadline has passed: of the analysis, of the first look at a sanctions hit, or of the communication. */
const IS_OVERDUE = `(r.due_at < :now AND r.status <> 'MERGED' AND
  (r.status <> 'CLOSED' OR (r.report = 'COMMUNICATE' AND r.reported_at IS NULL)))`;

const PROPERTY_OF_KEY = {
  'r.priority': 'r.priority',
  'r.due_at': 'r.dueAt',
  'r.points': 'r.points',
  'r.id': 'r.id',
} as const;

type Condition = readonly [condition: string, values: Readonly<Record<string, unknown>>];

/** Returns the conditions of filters that need more than an equality with a column. */
function conditionsOf(organisationId: string, filter: QueueFilter): Condition[] {
  const { transactionRef, rule, country, text, lookBack } = filter;
  const labelled = (name: string, kind: string, value: string): Condition => [
    `EXISTS (SELECT FROM review_labels l WHERE l.organisation_id = :organisationId AND l.review_id = r.id
       AND l.kind = '${kind}' AND l.value = :${name})`,
    { organisationId, [name]: value },
  ];
  const bound = (name: keyof QueueFilter, column: string, operator: string): Condition[] =>
    filter[name] === undefined ? [] : [[`${column} ${operator} :${name}`, { [name]: filter[name] }]];
  return [
    ...(rule === undefined ? [] : [labelled('rule', 'RULE', rule)]),
    ...(country === undefined ? [] : [labelled('country', 'COUNTRY', country)]),
    ...(lookBack === undefined
      ? []
      : [
          [
            `r.id IN (SELECT review_id FROM review_transactions
                      WHERE organisation_id = :organisationId AND look_back_id = :lookBack
                      UNION ALL SELECT review_id FROM review_hits
                      WHERE organisation_id = :organisationId AND look_back_id = :lookBack)`,
            { organisationId, lookBack },
          ] as const,
        ]),
    ...bound('amountFrom', 'r.amount_cents', '>='),
    ...bound('amountTo', 'r.amount_cents', '<='),
    ...bound('scoreFrom', 'r.risk_score', '>='),
    ...bound('scoreTo', 'r.risk_score', '<='),
    ...bound('openedFrom', 'r.opened_at', '>='),
    ...bound('openedTo', 'r.opened_at', '<'),
    ...(text === undefined
      ? []
      : [[`CAST(r.lead AS text) ILIKE :words`, { words: `%${text.replace(/[\\%_]/g, '\\$&')}%` }] as const]),
    ...(transactionRef === undefined
      ? []
      : [
          [
            `r.id IN (SELECT review_id FROM review_transactions
                      WHERE organisation_id = :organisationId AND transaction_ref = :transactionRef)`,
            { organisationId, transactionRef },
          ] as const,
        ]),
  ];
}

export function queueQuery(
  db: Reader,
  organisationId: string,
  {
    filter,
    now,
    after,
    order,
  }: {
    readonly filter: QueueFilter;
    readonly now: Date;
    readonly after: QueueCursor | null;
    readonly order: QueueOrder;
  },
): SelectQueryBuilder<ReviewEntity> {
  const { status, open, kind, theme, priority, queue, assigneeId, customerId, overdue, ids } = filter;
  const { keys, types, way } = ORDERS[order];
  const query = db.createQueryBuilder(ReviewEntity, 'r').where({ organisationId });
  for (const [property, value] of Object.entries({ status, kind, theme, priority, queue, customerId })) {
    if (value !== undefined) query.andWhere({ [property]: value });
  }
  if (status === undefined && open === true) query.andWhere(IS_UNENDED);
  if (assigneeId !== undefined) query.andWhere({ assigneeId: assigneeId ?? IsNull() });
  if (overdue !== undefined) query.andWhere(`${IS_OVERDUE} = :overdue`, { now, overdue });
  if (ids !== undefined) query.andWhere({ id: In([...ids]) });
  for (const [condition, values] of conditionsOf(organisationId, filter)) {
    query.andWhere(condition, values);
  }
  if (after) {
    const values = Object.fromEntries(after.map((key, i) => [`after${i}`, key]));
    const place = types.map((type, i) => `CAST(:after${i} AS ${type})`).join(', ');
    query.andWhere(`(${keys.join(', ')}) ${way === 'ASC' ? '>' : '<'} (${place})`, values);
  }
  if (order === 'AMOUNT') query.addSelect(AMOUNT, 'amount_rank');
  for (const key of keys) query.addOrderBy(key === AMOUNT ? 'amount_rank' : PROPERTY_OF_KEY[key], way);
  return query;
}
