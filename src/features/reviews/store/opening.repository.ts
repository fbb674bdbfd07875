import { Injectable } from '@nestjs/common';
import { appendClause, type ComposedEntry } from '../../audit/index.js';
import {
  column,
  columns,
  composite,
  execute,
  givenIds,
  idsOf,
  nullable,
  prepared,
  properties,
  sqlArray,
  statement,
  UnitOfWork,
  value,
  type Clause,
  type Reader,
  type Rows,
  type Tx,
} from '../../../platform/database/index.js';
import type { Clocks } from '../domain/clocks.js';
import { NO_FACTS, type LeadReason } from '../domain/alert.js';
import {
  requestKey,
  caseKey,
  collectingKey,
  LACKING,
  subjectOf,
  type KnownCases,
  type OpeningPlan,
  type ReviewRequest,
} from '../domain/opening.js';
import { MAX_COLLECTED, queueOf, rankOf, UNENDED } from '../domain/review.js';
import { ReviewTransactionEntity } from './entities/review-transaction.entity.js';
import { ReviewEntity } from './entities/review.entity.js';

/** A planned opening with all values to store. */
export interface PreparedOpening extends OpeningPlan {
  readonly openedAt: Date;
  readonly openedBy: string;
  readonly clocks: Clocks;
  /** The audit entry of a new case; null when the alert is added to an existing one. */
  readonly entry: ComposedEntry | null;
  /** The rows are written only if an earlier clause returns this id. */
  readonly gate: string;
}

const OPENED = `INSERT INTO reviews
    (id, organisation_id, kind, priority, queue, client_app_id, customer_id, session_ref, risk_score, linked, opened_by,
     opened_at, selection_deadline, analysis_deadline, response_deadline, due_at, updated_at, trail_hash, theme, points,
     collects, amount_cents, lead, subject_hit_id)
  SELECT s.id, s.organisation_id, s.kind, s.priority, s.queue, s.client_app_id, s.customer_id, s.session_ref,
         s.risk_score, s.linked, s.opened_by, s.opened_at, s.selection_deadline, s.analysis_deadline, s.response_deadline,
         s.due_at, s.opened_at, s.trail_hash, s.theme, s.points, s.collects AND s.linked < ${MAX_COLLECTED},
         s.amount_cents, s.lead::jsonb, s.subject_hit_id
  FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::int[], $6::text[], $7::uuid[], $8::uuid[],
              $9::uuid[], $10::int[], $11::int[], $12::text[], $13::timestamptz[], $14::timestamptz[],
              $15::timestamptz[], $16::timestamptz[], $17::timestamptz[], $18::bytea[], $19::text[], $20::int[],
              $21::boolean[], $22::bigint[], $23::text[], $24::uuid[])
    AS s (gate, id, organisation_id, kind, priority, queue, client_app_id, customer_id, session_ref, risk_score,
          linked, opened_by, opened_at, selection_deadline, analysis_deadline, response_deadline, due_at, trail_hash,
          theme, points, collects, amount_cents, lead, subject_hit_id)`;

// A case that is full, has ended or has a proposed decision accepts no more alerts: its id is missing in the result.
// The most severe alert sets the priority; a possible sanctions hit starts the one-hour deadline.
const JOINED = `UPDATE reviews r SET linked = r.linked + s.n, revision = r.revision + 1, updated_at = now(),
    risk_score = greatest(r.risk_score, s.risk_score), points = r.points + s.points,
    amount_cents = CASE WHEN s.amount_cents IS NULL THEN r.amount_cents
                        ELSE coalesce(r.amount_cents, 0) + s.amount_cents END,
    lead = CASE WHEN s.lead IS NULL OR (r.lead ->> 'points')::numeric >= (s.lead ->> 'points')::numeric THEN r.lead
                ELSE s.lead END,
    priority = least(r.priority, s.priority), collects = r.collects AND r.linked + s.n < ${MAX_COLLECTED},
    selection_deadline = least(r.selection_deadline, s.selection_deadline),
    response_deadline = coalesce(r.response_deadline, s.response_deadline),
    due_at = CASE WHEN r.status = 'OPEN' THEN least(r.due_at, s.response_deadline) ELSE r.due_at END
  FROM (SELECT u.id, bool_or(u.own) AS own, sum(u.linked)::int AS n,
               max(u.risk_score) AS risk_score,
               coalesce(sum(u.risk_score) FILTER (WHERE NOT u.own), 0)::int AS points, min(u.priority) AS priority,
               min(u.selection_deadline) AS selection_deadline, min(u.response_deadline) AS response_deadline,
               (sum(u.amount_cents) FILTER (WHERE NOT u.own))::bigint AS amount_cents,
               (array_agg(u.lead::jsonb ORDER BY (u.lead::jsonb ->> 'points')::numeric DESC NULLS LAST))[1] AS lead
        FROM unnest($1::uuid[], $2::uuid[], $3::int[], $4::boolean[], $5::int[], $6::timestamptz[], $7::timestamptz[],
                    $8::int[], $9::bigint[], $10::text[])
          AS u (gate, id, risk_score, own, priority, selection_deadline, response_deadline, linked, amount_cents,
                lead)`;
const JOINED_END = `GROUP BY u.id) s
  WHERE r.id = s.id AND ${UNENDED} AND (s.own OR r.collects)
  RETURNING r.id`;

// Without a case the link refers to the nil id: the foreign key then fails the whole statement, which is retried.
const IN_A_CASE = `CASE WHEN EXISTS (SELECT FROM opened_reviews o WHERE o.id = s.review_id)
                          OR EXISTS (SELECT FROM joined_reviews j WHERE j.id = s.review_id) THEN s.review_id
                     ELSE '00000000-0000-0000-0000-000000000000' END`;

const KNOWN = prepared(
  'reviews-known',
  `SELECT r.id, r.organisation_id AS org, t.transaction_ref AS ref, t.evaluation_version AS version,
                ${UNENDED} AS open, NULL AS theme
         FROM review_transactions t JOIN reviews r ON r.id = t.review_id
         WHERE t.organisation_id = ANY ($1::uuid[]) AND t.transaction_ref = ANY ($2::uuid[])
         UNION ALL
         SELECT id, organisation_id, session_ref, CASE WHEN kind = 'DATA_GAP' THEN ${LACKING} END, false, NULL
         FROM reviews
         WHERE organisation_id = ANY ($1::uuid[]) AND session_ref = ANY ($2::uuid[])
         UNION ALL
         SELECT id, organisation_id, customer_id, NULL, true, theme FROM reviews
         WHERE organisation_id = ANY ($1::uuid[]) AND customer_id = ANY ($3::uuid[]) AND collects
         UNION ALL
         SELECT id, organisation_id, subject_hit_id, NULL, true, theme FROM reviews
         WHERE organisation_id = ANY ($1::uuid[]) AND subject_hit_id = ANY ($3::uuid[]) AND collects
         ORDER BY 1`,
  {
    id: 'uuid',
    org: 'uuid',
    ref: 'uuid',
    version: 'integer | null',
    open: 'boolean',
    theme: nullable(column(ReviewEntity, 'theme')),
  },
);

const STANDING = statement(
  'reviews.standing',
  `SELECT t.transaction_ref AS ref, r.id AS "reviewId", r.theme, ${UNENDED} AS open,
     coalesce(t.lead ->> 'code' = 'MISSING_DATA', false) AS "isGap",
     ARRAY(SELECT h.hit_id FROM review_hits h
           WHERE h.organisation_id = $1 AND h.review_id = r.id AND h.hit_id = ANY ($3::uuid[])) AS hits
   FROM review_transactions t JOIN reviews r ON r.id = t.review_id AND r.organisation_id = t.organisation_id
   WHERE t.organisation_id = $1 AND t.transaction_ref = ANY ($2::uuid[]) AND t.origin <> 'RELATED'`,
  {
    ref: column(ReviewTransactionEntity, 'transactionRef'),
    ...properties(ReviewEntity, 'theme'),
    reviewId: column(ReviewEntity, 'id'),
    ...{ open: 'boolean', isGap: 'boolean' },
    hits: value<readonly string[]>('uuid[]'),
  },
);

/** An existing case that contains a transaction. */
export type TransactionInCase = Rows<typeof STANDING>;

// Deletes a RELATED row when an alert about the same transaction is added to the case.
const YIELD = statement(
  'reviews.yield-to-alerts',
  `WITH yielded AS (
     DELETE FROM review_transactions l USING reviews r, unnest($2::uuid[], $3::uuid[], $4::text[]) AS q (ref, customer, theme)
     WHERE l.organisation_id = $1 AND l.transaction_ref = q.ref AND l.origin = 'RELATED' AND r.id = l.review_id
       AND r.organisation_id = $1 AND r.customer_id = q.customer AND r.theme = q.theme AND r.collects
     RETURNING l.review_id)
   UPDATE reviews r SET linked = r.linked - y.n
   FROM (SELECT review_id, count(*)::int AS n FROM yielded GROUP BY 1) y
   WHERE r.id = y.review_id AND r.organisation_id = $1`,
);

/** Reads the existing cases before new ones are planned. */
@Injectable()
export class OpeningRepository {
  constructor(private readonly uow: UnitOfWork) {}

  /** The cases that contain these transactions, each with those of `hitIds` that it contains. */
  async findTransactionsInCases(
    tx: Tx,
    organisationId: string,
    refs: readonly string[],
    hitIds: readonly string[],
  ): Promise<TransactionInCase[]> {
    return execute(tx, STANDING, [organisationId, sqlArray.uuids(refs), sqlArray.uuids(hitIds)]);
  }

  /** Deletes RELATED rows of transactions whose alerts these requests will add. */
  async makeRoom(tx: Tx, requests: readonly ReviewRequest[]): Promise<void> {
    const named = requests.filter(({ customerId, transaction }) => customerId !== null && transaction);
    const [first] = named;
    if (!first) return;
    await execute(tx, YIELD, [
      first.organisationId,
      sqlArray.plain(named.map(({ transaction }) => transaction?.ref ?? null)),
      sqlArray.plain(named.map(({ customerId }) => customerId)),
      sqlArray.text(named.map(({ theme }) => theme)),
    ]);
  }

  /** Finds the existing cases of these transactions, sessions and subjects. */
  async findKnownCases(
    organisationIds: readonly string[],
    refs: readonly string[],
    subjects: readonly string[],
    reader?: Reader,
  ): Promise<KnownCases> {
    const look = (db: Reader): Promise<Rows<typeof KNOWN>[]> =>
      execute(db, KNOWN, [sqlArray.plain(organisationIds), sqlArray.plain(refs), sqlArray.plain(subjects)]);
    const rows = await (reader ? look(reader) : this.uow.read([...organisationIds], look));
    return {
      collecting: new Map(
        rows.flatMap(({ id, org, ref, theme }) => (theme ? [[collectingKey(org, ref, theme), id]] : [])),
      ),
      about: new Map(
        rows.filter(({ theme, open }) => open && !theme).map(({ id, org, ref }) => [caseKey(org, ref), id]),
      ),
      asked: new Map(
        rows
          .filter(({ theme }) => !theme)
          .map(({ id, org, ref, version }) => [requestKey(org, ref, version), id]),
      ),
    };
  }
}

/** Clauses that open or join cases. A row is written only if the clause `onlyFor` returned its gate as `id`. */
export function reviewClauses(openings: readonly PreparedOpening[], onlyFor: string): Clause[] {
  const { plain, text, bytes } = sqlArray;
  const opens = openings.filter(({ fate }) => fate === 'OPENS');
  const joins = openings.filter(({ fate }) => fate === 'JOINS');
  const at = (date: Date | null): string | null => date?.toISOString() ?? null;
  /** The openings planned for one case. */
  const together = (reviewId: string): readonly PreparedOpening[] =>
    openings.filter((one) => one.reviewId === reviewId);
  const opened: Clause = {
    name: 'opened_reviews',
    text: `${OPENED} JOIN ${onlyFor} g ON g.id = s.gate RETURNING id`,
    values: [
      plain(opens.map(({ gate }) => gate)),
      plain(opens.map(({ reviewId }) => reviewId)),
      plain(opens.map(({ request }) => request.organisationId)),
      plain(opens.map(({ request }) => request.kind)),
      plain(opens.map(({ reviewId }) => Math.min(...together(reviewId).map(ofPriority)))),
      text(opens.map(({ request }) => request.queue ?? queueOf[request.kind])),
      plain(opens.map(({ request }) => request.clientAppId)),
      plain(opens.map(({ request }) => request.customerId)),
      plain(opens.map(({ request }) => request.sessionRef ?? null)),
      plain(opens.map(({ reviewId }) => most(together(reviewId).map(({ request }) => request.riskScore)))),
      plain(
        opens.map(({ reviewId }) => together(reviewId).filter(({ request }) => request.transaction).length),
      ),
      text(opens.map(({ openedBy }) => openedBy)),
      plain(opens.map(({ openedAt }) => at(openedAt))),
      plain(opens.map(({ clocks }) => at(clocks.selectionDeadline))),
      plain(opens.map(({ clocks }) => at(clocks.analysisDeadline))),
      plain(opens.map(({ clocks }) => at(clocks.responseDeadline))),
      plain(opens.map(({ clocks }) => at(clocks.dueAt))),
      bytes(opens.map(({ entry }) => entry?.hash ?? null)),
      text(opens.map(({ request }) => request.theme)),
      plain(
        opens.map(({ reviewId }) => sum(together(reviewId).map(({ request }) => request.riskScore ?? 0))),
      ),
      plain(opens.map(({ collects }) => collects)),
      plain(opens.map(({ reviewId }) => amountOf(together(reviewId)))),
      json(opens.map(({ reviewId }) => leadOf(together(reviewId)))),
      plain(
        opens.map(({ collects, request }) =>
          collects && request.customerId === null ? subjectOf(request) : null,
        ),
      ),
    ],
  };
  const joined: Clause = {
    name: 'joined_reviews',
    text: `${JOINED} JOIN ${onlyFor} g ON g.id = u.gate ${JOINED_END}`,
    values: [
      plain(joins.map(({ gate }) => gate)),
      plain(joins.map(({ reviewId }) => reviewId)),
      plain(joins.map(({ request }) => request.riskScore)),
      plain(joins.map(({ own }) => own)),
      plain(joins.map(ofPriority)),
      plain(joins.map(({ clocks }) => at(clocks.selectionDeadline))),
      plain(joins.map(({ clocks }) => at(clocks.responseDeadline))),
      plain(joins.map(({ request }) => (request.transaction ? 1 : 0))),
      plain(joins.map(({ request }) => request.facts?.amountCents ?? null)),
      json(joins.map(({ request }) => request.facts?.lead ?? null)),
    ],
  };
  const entries = openings.flatMap(({ entry }) => entry ?? []);
  return [
    opened,
    joined,
    ...linkClauses(openings, onlyFor),
    { ...appendClause(entries, 'opened_reviews'), name: 'audited_reviews' },
  ];
}

function linkClauses(openings: readonly PreparedOpening[], onlyFor: string): Clause[] {
  const { plain, text } = sqlArray;
  const news = openings.filter(({ fate }) => fate !== 'STANDS');
  const transactions = news.flatMap(({ gate, reviewId, request }) => {
    const { transaction } = request;
    return transaction
      ? [{ gate, reviewId, ...transaction, ...request, facts: request.facts ?? NO_FACTS }]
      : [];
  });
  const labels = news.flatMap(({ gate, reviewId, request: { organisationId, facts = NO_FACTS } }) => [
    ...facts.rules.map((label) => ({ gate, reviewId, organisationId, kind: 'RULE', label })),
    ...facts.countries.map((label) => ({ gate, reviewId, organisationId, kind: 'COUNTRY', label })),
  ]);
  const hits = news.flatMap(({ gate, reviewId, request: { hitIds = [], organisationId, lookBack } }) =>
    hitIds.map((hitId) => ({ gate, reviewId, organisationId, hitId, lookBack: lookBack ?? null })),
  );
  return [
    {
      name: 'linked_transactions',
      text: `INSERT INTO review_transactions (review_id, organisation_id, transaction_ref, evaluation_version, origin,
                 points, amount_cents, lead, rules, countries, look_back_id)
               SELECT ${IN_A_CASE}, s.organisation_id, s.ref, s.version, s.origin, s.points, s.amount_cents, s.lead::jsonb,
                 string_to_array(s.rules, ','), string_to_array(s.countries, ','), s.look_back
               FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::int[], $6::text[], $7::int[],
                           $8::bigint[], $9::text[], $10::text[], $11::text[], $12::uuid[])
                 AS s (gate, review_id, organisation_id, ref, version, origin, points, amount_cents, lead, rules,
                       countries, look_back)
               JOIN ${onlyFor} g ON g.id = s.gate`,
      values: [
        plain(transactions.map(({ gate }) => gate)),
        plain(transactions.map(({ reviewId }) => reviewId)),
        plain(transactions.map(({ organisationId }) => organisationId)),
        plain(transactions.map(({ ref }) => ref)),
        plain(transactions.map(({ evaluationVersion }) => evaluationVersion)),
        plain(transactions.map(originOf)),
        plain(transactions.map(({ riskScore }) => riskScore)),
        plain(transactions.map(({ facts }) => facts.amountCents)),
        json(transactions.map(({ facts }) => facts.lead)),
        text(transactions.map(({ facts }) => facts.rules.join(','))),
        text(transactions.map(({ facts }) => facts.countries.join(','))),
        plain(transactions.map(({ lookBack }) => lookBack ?? null)),
      ],
    },
    {
      name: 'labelled_reviews',
      text: `INSERT INTO review_labels (review_id, organisation_id, kind, value)
               SELECT DISTINCT s.review_id, s.organisation_id, s.kind, s.label
               FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[])
                 AS s (gate, review_id, organisation_id, kind, label)
               JOIN ${onlyFor} g ON g.id = s.gate
               ON CONFLICT DO NOTHING`,
      values: [
        plain(labels.map(({ gate }) => gate)),
        plain(labels.map(({ reviewId }) => reviewId)),
        plain(labels.map(({ organisationId }) => organisationId)),
        plain(labels.map(({ kind }) => kind)),
        text(labels.map(({ label }) => label)),
      ],
    },
    {
      name: 'linked_hits',
      text: `INSERT INTO review_hits (review_id, organisation_id, hit_id, look_back_id)
               SELECT DISTINCT ${IN_A_CASE}, s.organisation_id, s.hit_id, s.look_back
               FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::uuid[])
                 AS s (gate, review_id, organisation_id, hit_id, look_back)
               JOIN ${onlyFor} g ON g.id = s.gate
               ON CONFLICT DO NOTHING`,
      values: [
        plain(hits.map(({ gate }) => gate)),
        plain(hits.map(({ reviewId }) => reviewId)),
        plain(hits.map(({ organisationId }) => organisationId)),
        plain(hits.map(({ hitId }) => hitId)),
        plain(hits.map(({ lookBack }) => lookBack)),
      ],
    },
  ];
}

/** Opens or extends cases in a statement of its own. */
export const OPEN = composite('reviews-open', {
  clauses: ({ openings }: { openings: readonly PreparedOpening[] }) => [
    givenIds(
      'wanted',
      openings.map(({ gate }) => gate),
    ),
    ...reviewClauses(openings, 'wanted'),
  ],
  every: { openings: [[]] },
  result: idsOf('opened_reviews'),
  shape: columns(ReviewEntity, 'id'),
  prepared: false,
});

const originOf = ({ kind, lookBack }: ReviewRequest): string =>
  lookBack === undefined ? (kind === 'MANUAL' ? 'OPERATOR' : 'EVALUATION') : 'LOOK_BACK';
const json = (values: readonly (object | null)[]): Buffer =>
  sqlArray.text(values.map((value) => value && JSON.stringify(value)));
const leadOf = (together: readonly OpeningPlan[]): LeadReason | null =>
  together.reduce<LeadReason | null>((most, { request: { facts } }) => {
    const one = facts?.lead ?? null;
    return one === null || (most !== null && most.points >= one.points) ? most : one;
  }, null);
/** The sum of the known amounts, in cents; null when none is known. */
function amountOf(together: readonly OpeningPlan[]): number | null {
  const known = together.flatMap(({ request: { facts } }) => facts?.amountCents ?? []);
  return known.length === 0 ? null : sum(known);
}
const ofPriority = ({ request }: OpeningPlan): number => rankOf(request.priority);
const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);
const most = (scores: readonly (number | null)[]): number | null => {
  const known = scores.filter((score) => score !== null);
  return known.length === 0 ? null : Math.max(...known);
};
