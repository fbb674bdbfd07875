import { Injectable } from '@nestjs/common';
import { appendClause, type ComposedEntry } from '../../audit/index.js';
import {
  column,
  columns,
  composite,
  execute,
  idsClause,
  selectIds,
  nullable,
  prepared,
  properties,
  sqlArray,
  statement,
  unnested,
  UnitOfWork,
  value,
  type Clause,
  type Reader,
  type Rows,
  type Tx,
} from '../../../platform/database/index.js';
import type { CaseClocks } from '../domain/clocks.js';
import { NO_FACTS, type AlertFacts, type LeadReason } from '../domain/alert.js';
import {
  requestKey,
  caseKey,
  collectingKey,
  LACKING,
  caseSubjectOf,
  type ExistingCases,
  type OpeningPlan,
  type CaseAlert,
} from '../domain/opening.js';
import { MAX_COLLECTED, queueOf, rankOf, IS_UNENDED } from '../domain/review.js';
import { ReviewTransactionEntity, ReviewEntity } from './entities.js';

export interface PreparedOpening extends OpeningPlan {
  readonly openedAt: Date;
  readonly openedBy: string;
  readonly clocks: CaseClocks;
  /** The audit entry of a new case; null if the alert is added to an existing case. */
  readonly entry: ComposedEntry | null;
  /** The rows are written only if an earlier clause returns this id. */
  readonly gate: string;
}

interface NewCase extends PreparedOpening {
  /** The openings that share this case, of which it is the first. */
  readonly together: readonly PreparedOpening[];
}

const CASES = unnested<NewCase>(
  { uuid: { gate: 'gate', id: 'reviewId', organisationId: 'request.organisationId' } },
  { code: ['request.kind'] },
  { int: { priority: ({ together }) => Math.min(...together.map(priorityRankOf)) } },
  { text: { queue: ({ request }) => request.queue ?? queueOf[request.kind] } },
  { uuid: ['request.clientAppId', 'request.customerId'] },
  { uuid: { sessionRef: ({ request }) => request.sessionRef ?? null } },
  { int: { riskScore: ({ together }) => maxScore(together.map(({ request }) => request.riskScore)) } },
  { int: { linked: ({ together }) => together.filter(({ request }) => request.transaction).length } },
  { text: ['openedBy'], timestamptz: ['openedAt', 'clocks.selectionDeadline', 'clocks.analysisDeadline'] },
  { timestamptz: ['clocks.responseDeadline', 'clocks.dueAt'] },
  { bytea: { trailHash: ({ entry }) => entry?.hash ?? null }, text: ['request.theme'] },
  { int: { points: ({ together }) => sum(together.map(({ request }) => request.riskScore ?? 0)) } },
  { boolean: ['collects'], bigint: { amountCents: ({ together }) => amountOf(together) } },
  { json: { lead: ({ together }) => leadOf(together) } },
  {
    uuid: {
      subjectHitId: ({ collects, request }) =>
        collects && request.customerId === null ? caseSubjectOf(request) : null,
    },
  },
);
const INSERT_CASES = `INSERT INTO reviews
    (id, organisation_id, kind, priority, queue, client_app_id, customer_id, session_ref, risk_score, linked, opened_by,
     opened_at, selection_deadline, analysis_deadline, response_deadline, due_at, updated_at, trail_hash, theme, points,
     collects, amount_cents, lead, subject_hit_id)
  SELECT s.id, s.organisation_id, s.kind, s.priority, s.queue, s.client_app_id, s.customer_id, s.session_ref,
         s.risk_score, s.linked, s.opened_by, s.opened_at, s.selection_deadline, s.analysis_deadline, s.response_deadline,
         s.due_at, s.opened_at, s.trail_hash, s.theme, s.points, s.collects AND s.linked < ${MAX_COLLECTED},
         s.amount_cents, s.lead::jsonb, s.subject_hit_id
  FROM ${CASES.from()}`;

const ALERTS = unnested<PreparedOpening>(
  { uuid: { gate: 'gate', id: 'reviewId' }, int: ['request.riskScore'], boolean: ['own'] },
  { int: { priority: (opening) => priorityRankOf(opening) } },
  { timestamptz: ['clocks.selectionDeadline', 'clocks.responseDeadline'] },
  { int: { linked: ({ request }) => (request.transaction ? 1 : 0) } },
  { bigint: { amountCents: ({ request }) => request.facts?.amountCents ?? null } },
  { json: { lead: ({ request }) => request.facts?.lead ?? null } },
);
// A case that is full, has ended or has a proposed decision accepts no more alerts: its id is missing in the result.
// The most severe alert sets the priority; a possible sanctions hit starts the one-hour deadline.
const EXTEND_CASES = `UPDATE reviews r SET linked = r.linked + s.n, revision = r.revision + 1, updated_at = now(),
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
        FROM ${ALERTS.from(1, 'u')}`;
const JOINED_END = `GROUP BY u.id) s
  WHERE r.id = s.id AND ${IS_UNENDED} AND (s.own OR r.collects)
  RETURNING r.id`;

// If no case was written, the link refers to the nil id: the foreign key fails the whole statement, which is retried.
const CASE_ID_IF_WRITTEN = `CASE WHEN EXISTS (SELECT FROM opened_reviews o WHERE o.id = s.review_id)
                          OR EXISTS (SELECT FROM joined_reviews j WHERE j.id = s.review_id) THEN s.review_id
                     ELSE '00000000-0000-0000-0000-000000000000' END`;

const FIND_KNOWN_CASES = prepared(
  'reviews-known',
  `SELECT r.id, r.organisation_id AS org, t.transaction_ref AS ref, t.evaluation_version AS version,
                ${IS_UNENDED} AS open, NULL AS theme
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

const FIND_CASES_OF_ALERTS = statement(
  'reviews.standing',
  `SELECT t.transaction_ref AS ref, r.id AS "reviewId", r.theme, ${IS_UNENDED} AS open,
     coalesce(t.lead ->> 'code' = 'MISSING_DATA', false) AS "isGap",
     ARRAY(SELECT unnest(t.hit_ids) INTERSECT SELECT unnest($3::uuid[])) AS hits
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
export type CaseOfTransaction = Rows<typeof FIND_CASES_OF_ALERTS>;

// Deletes a RELATED row when an alert about the same transaction is added to the case.
const DELETE_RELATED = statement(
  'reviews.yield-to-alerts',
  `WITH yielded AS (
     DELETE FROM review_transactions l USING reviews r, unnest($2::uuid[], $3::uuid[], $4::text[]) AS q (ref, subject, theme)
     WHERE l.organisation_id = $1 AND l.transaction_ref = q.ref AND l.origin = 'RELATED' AND r.id = l.review_id
       AND r.organisation_id = $1 AND coalesce(r.customer_id, r.subject_hit_id) = q.subject AND r.theme = q.theme AND r.collects
     RETURNING l.review_id)
   UPDATE reviews r SET linked = r.linked - y.n
   FROM (SELECT review_id, count(*)::int AS n FROM yielded GROUP BY 1) y
   WHERE r.id = y.review_id AND r.organisation_id = $1`,
);

/** Reads the existing cases, before new cases are planned. */
@Injectable()
export class OpeningRepository {
  constructor(private readonly uow: UnitOfWork) {}

  /** Returns the cases that contain these transactions, each with the ids out of `hitIds` about the transaction. */
  async findTransactionsInCases(
    tx: Tx,
    organisationId: string,
    refs: readonly string[],
    hitIds: readonly string[],
  ): Promise<CaseOfTransaction[]> {
    return execute(tx, FIND_CASES_OF_ALERTS, [organisationId, sqlArray.uuids(refs), sqlArray.uuids(hitIds)]);
  }

  /** Deletes RELATED rows of transactions whose alerts these requests will add. */
  async deleteRelatedRows(tx: Tx, requests: readonly CaseAlert[]): Promise<void> {
    const requestsOfTransactions = requests.filter(
      (request) => caseSubjectOf(request) !== null && request.transaction,
    );
    const [first] = requestsOfTransactions;
    if (!first) return;
    await execute(tx, DELETE_RELATED, [
      first.organisationId,
      sqlArray.plain(requestsOfTransactions.map(({ transaction }) => transaction?.ref ?? null)),
      sqlArray.plain(requestsOfTransactions.map(caseSubjectOf)),
      sqlArray.text(requestsOfTransactions.map(({ theme }) => theme)),
    ]);
  }

  /** Finds the existing cases of these transactions, sessions and subjects. */
  async findKnownCases(
    organisationIds: readonly string[],
    refs: readonly string[],
    subjects: readonly string[],
    reader?: Reader,
  ): Promise<ExistingCases> {
    const look = (db: Reader): Promise<Rows<typeof FIND_KNOWN_CASES>[]> =>
      execute(db, FIND_KNOWN_CASES, [
        sqlArray.plain(organisationIds),
        sqlArray.plain(refs),
        sqlArray.plain(subjects),
      ]);
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
  const opens = openings.filter(({ fate }) => fate === 'OPENS');
  const joins = openings.filter(({ fate }) => fate === 'JOINS');
  const cases = opens.map((opening) => ({
    ...opening,
    together: openings.filter(({ reviewId }) => reviewId === opening.reviewId),
  }));
  const entries = openings.flatMap(({ entry }) => entry ?? []);
  return [
    {
      name: 'opened_reviews',
      text: `${INSERT_CASES} JOIN ${onlyFor} g ON g.id = s.gate RETURNING id`,
      values: CASES.arrays(cases),
    },
    {
      name: 'joined_reviews',
      text: `${EXTEND_CASES} JOIN ${onlyFor} g ON g.id = u.gate ${JOINED_END}`,
      values: ALERTS.arrays(joins),
    },
    ...linkClauses(openings, onlyFor),
    { ...appendClause(entries, 'opened_reviews'), name: 'audited_reviews' },
  ];
}

const originOf = ({ kind, lookBack }: Pick<CaseAlert, 'kind' | 'lookBack'>): string =>
  lookBack === undefined ? (kind === 'MANUAL' ? 'OPERATOR' : 'EVALUATION') : 'LOOK_BACK';

interface LinkedTransaction extends Omit<CaseAlert, 'transaction' | 'hitIds'> {
  readonly gate: string;
  readonly reviewId: string;
  readonly ref: string;
  readonly evaluationVersion: number;
  readonly hitIds?: readonly string[];
  readonly facts: AlertFacts;
}

const TRANSACTIONS = unnested<LinkedTransaction>(
  { uuid: ['gate', 'reviewId', 'organisationId', 'ref'], int: { version: 'evaluationVersion' } },
  { code: { origin: originOf }, int: { points: 'riskScore' }, bigint: ['facts.amountCents'] },
  { json: ['facts.lead'], codes: ['facts.rules', 'facts.countries'] },
  { uuid: { lookBack: ({ lookBack }) => lookBack ?? null }, codes: { hits: ({ hitIds = [] }) => hitIds } },
);
const LABELS = unnested<Record<'gate' | 'reviewId' | 'organisationId' | 'kind' | 'label', string>>(
  { uuid: ['gate', 'reviewId', 'organisationId'] },
  { code: ['kind'], text: ['label'] },
);

interface LinkedHit {
  readonly gate: string;
  readonly reviewId: string;
  readonly organisationId: string;
  readonly hitId: string;
  readonly lookBack: string | null;
}

const HITS = unnested<LinkedHit>({ uuid: ['gate', 'reviewId', 'organisationId', 'hitId', 'lookBack'] });

function linkClauses(openings: readonly PreparedOpening[], onlyFor: string): Clause[] {
  const news = openings.filter(({ fate }) => fate !== 'STANDS');
  const transactions = news.flatMap(({ gate, reviewId, request }) => {
    const { transaction } = request;
    return transaction
      ? [{ ...request, gate, reviewId, hitIds: [], ...transaction, facts: request.facts ?? NO_FACTS }]
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
                 points, amount_cents, lead, rules, countries, look_back_id, hit_ids)
               SELECT ${CASE_ID_IF_WRITTEN}, s.organisation_id, s.ref, s.version, s.origin, s.points, s.amount_cents, s.lead::jsonb,
                 string_to_array(s.rules, ','), string_to_array(s.countries, ','), s.look_back,
                 string_to_array(s.hits, ',')::uuid[]
               FROM ${TRANSACTIONS.from()} JOIN ${onlyFor} g ON g.id = s.gate`,
      values: TRANSACTIONS.arrays(transactions),
    },
    {
      name: 'labelled_reviews',
      text: `INSERT INTO review_labels (review_id, organisation_id, kind, value)
               SELECT DISTINCT s.review_id, s.organisation_id, s.kind, s.label
               FROM ${LABELS.from()} JOIN ${onlyFor} g ON g.id = s.gate
               ON CONFLICT DO NOTHING`,
      values: LABELS.arrays(labels),
    },
    {
      name: 'linked_hits',
      text: `INSERT INTO review_hits (review_id, organisation_id, hit_id, look_back_id)
               SELECT DISTINCT ${CASE_ID_IF_WRITTEN}, s.organisation_id, s.hit_id, s.look_back
               FROM ${HITS.from()} JOIN ${onlyFor} g ON g.id = s.gate
               ON CONFLICT DO NOTHING`,
      values: HITS.arrays(hits),
    },
  ];
}

/** Opens or extends cases in a separate statement. */
export const OPEN = composite('reviews-open', {
  clauses: ({ openings }: { openings: readonly PreparedOpening[] }) => [
    idsClause(
      'wanted',
      openings.map(({ gate }) => gate),
    ),
    ...reviewClauses(openings, 'wanted'),
  ],
  every: { openings: [[]] },
  result: selectIds('opened_reviews'),
  shape: columns(ReviewEntity, 'id'),
  prepared: false,
});

const leadOf = (together: readonly OpeningPlan[]): LeadReason | null =>
  together.reduce<LeadReason | null>((most, { request: { facts } }) => {
    const one = facts?.lead ?? null;
    return one === null || (most !== null && most.points >= one.points) ? most : one;
  }, null);
/** The sum of the known amounts, in cents; null when none is known. */
function amountOf(together: readonly OpeningPlan[]): number | null {
  const knownAmounts = together.flatMap(({ request: { facts } }) => facts?.amountCents ?? []);
  return knownAmounts.length === 0 ? null : sum(knownAmounts);
}
const priorityRankOf = ({ request }: OpeningPlan): number => rankOf(request.priority);
const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);
const maxScore = (scores: readonly (number | null)[]): number | null => {
  const knownScores = scores.filter((score) => score !== null);
  return knownScores.length === 0 ? null : Math.max(...knownScores);
};
