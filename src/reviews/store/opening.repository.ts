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
  sqlArray,
  UnitOfWork,
  type Clause,
  type Reader,
  type Rows,
} from '../../database/index.js';
import type { Clocks } from '../domain/clocks.js';
import { askedKey, caseKey, collectingKey, LACKING, type KnownCases, type Plan } from '../domain/opening.js';
import { MAX_COLLECTED, queueOf, rankOf } from '../domain/review.js';
import { ReviewEntity } from './entities/review.entity.js';

/** A planned opening with everything that its commit stores. */
export interface PreparedOpening extends Plan {
  readonly openedAt: Date;
  readonly openedBy: string;
  readonly clocks: Clocks;
  /** The audit entry of a case that is opened. */
  readonly entry: ComposedEntry | null;
  /** The clause before returns this id when the opening is to take place. */
  readonly gate: string;
}

const OPENED = `INSERT INTO reviews
    (id, organisation_id, kind, priority, queue, client_app_id, customer_id, session_ref, risk_score, linked, opened_by,
     opened_at, selection_deadline, analysis_deadline, response_deadline, due_at, updated_at, trail_hash, theme, points,
     collects)
  SELECT s.id, s.organisation_id, s.kind, s.priority, s.queue, s.client_app_id, s.customer_id, s.session_ref,
         s.risk_score, s.linked, s.opened_by, s.opened_at, s.selection_deadline, s.analysis_deadline, s.response_deadline,
         s.due_at, s.opened_at, s.trail_hash, s.theme, s.points, s.collects AND s.linked < ${MAX_COLLECTED}
  FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::int[], $6::text[], $7::uuid[], $8::uuid[],
              $9::uuid[], $10::int[], $11::int[], $12::text[], $13::timestamptz[], $14::timestamptz[],
              $15::timestamptz[], $16::timestamptz[], $17::timestamptz[], $18::bytea[], $19::text[], $20::int[],
              $21::boolean[])
    AS s (gate, id, organisation_id, kind, priority, queue, client_app_id, customer_id, session_ref, risk_score,
          linked, opened_by, opened_at, selection_deadline, analysis_deadline, response_deadline, due_at, trail_hash,
          theme, points, collects)`;

// A case about which a decision was proposed, or that was closed or filled meanwhile, takes nothing more; then its id is
// missing below. The gravest alert gives the priority; a possible sanction starts the hour in which somebody has to look.
const JOINED = `UPDATE reviews r SET linked = r.linked + s.n, revision = r.revision + 1, updated_at = now(),
    risk_score = greatest(r.risk_score, s.risk_score), points = r.points + s.points,
    priority = least(r.priority, s.priority), collects = r.collects AND r.linked + s.n < ${MAX_COLLECTED},
    selection_deadline = least(r.selection_deadline, s.selection_deadline),
    response_deadline = coalesce(r.response_deadline, s.response_deadline),
    due_at = CASE WHEN r.status = 'OPEN' THEN least(r.due_at, s.response_deadline) ELSE r.due_at END
  FROM (SELECT u.id, bool_or(u.own) AS own, sum(u.linked)::int AS n,
               max(u.risk_score) AS risk_score,
               coalesce(sum(u.risk_score) FILTER (WHERE NOT u.own), 0)::int AS points, min(u.priority) AS priority,
               min(u.selection_deadline) AS selection_deadline, min(u.response_deadline) AS response_deadline
        FROM unnest($1::uuid[], $2::uuid[], $3::int[], $4::boolean[], $5::int[], $6::timestamptz[], $7::timestamptz[],
                    $8::int[])
          AS u (gate, id, risk_score, own, priority, selection_deadline, response_deadline, linked)`;
const JOINED_END = `GROUP BY u.id) s
  WHERE r.id = s.id AND r.status <> 'CLOSED' AND (s.own OR r.collects)
  RETURNING r.id`;

// Without a case the link points nowhere, which the table refuses: the whole statement is as if it never ran.
const IN_A_CASE = `CASE WHEN EXISTS (SELECT FROM opened_reviews o WHERE o.id = s.review_id)
                          OR EXISTS (SELECT FROM joined_reviews j WHERE j.id = s.review_id) THEN s.review_id
                     ELSE '00000000-0000-0000-0000-000000000000' END`;

const KNOWN = prepared(
  'reviews-known',
  `SELECT r.id, r.organisation_id AS org, t.transaction_ref AS ref, t.evaluation_version AS version,
                r.status <> 'CLOSED' AS open, NULL AS theme
         FROM review_transactions t JOIN reviews r ON r.id = t.review_id
         WHERE t.organisation_id = ANY ($1::uuid[]) AND t.transaction_ref = ANY ($2::uuid[])
         UNION ALL
         SELECT id, organisation_id, session_ref, CASE WHEN kind = 'DATA_GAP' THEN ${LACKING} END, false, NULL
         FROM reviews
         WHERE organisation_id = ANY ($1::uuid[]) AND session_ref = ANY ($2::uuid[])
         UNION ALL
         SELECT id, organisation_id, customer_id, NULL, true, theme FROM reviews
         WHERE organisation_id = ANY ($1::uuid[]) AND customer_id = ANY ($3::uuid[]) AND collects
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

/** Reads the cases that are there before others are opened. */
@Injectable()
export class OpeningRepository {
  constructor(private readonly uow: UnitOfWork) {}

  /** Finds the existing cases of these transactions, sessions and customers. */
  async known(
    organisationIds: readonly string[],
    refs: readonly string[],
    customerIds: readonly string[],
    reader?: Reader,
  ): Promise<KnownCases> {
    const look = (db: Reader): Promise<Rows<typeof KNOWN>[]> =>
      execute(db, KNOWN, [
        sqlArray.plain(organisationIds),
        sqlArray.plain(refs),
        sqlArray.plain(customerIds),
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
          .map(({ id, org, ref, version }) => [askedKey(org, ref, version), id]),
      ),
    };
  }
}

/** Stores what was prepared, for those gates that an earlier clause returned as `id`. */
export function reviewClauses(openings: readonly PreparedOpening[], onlyFor: string): Clause[] {
  const { plain, text, bytes } = sqlArray;
  const opens = openings.filter(({ fate }) => fate === 'OPENS');
  const joins = openings.filter(({ fate }) => fate === 'JOINS');
  const at = (date: Date | null): string | null => date?.toISOString() ?? null;
  /** All that ask together and belong to one case. */
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
  const { plain } = sqlArray;
  const news = openings.filter(({ fate }) => fate !== 'STANDS');
  const transactions = news.flatMap(({ gate, reviewId, request: { transaction, organisationId, kind } }) =>
    transaction ? [{ gate, reviewId, ...transaction, organisationId, kind }] : [],
  );
  const hits = news.flatMap(({ gate, reviewId, request: { hitIds = [], organisationId } }) =>
    hitIds.map((hitId) => ({ gate, reviewId, organisationId, hitId })),
  );
  return [
    {
      name: 'linked_transactions',
      text: `INSERT INTO review_transactions (review_id, organisation_id, transaction_ref, evaluation_version, origin)
               SELECT ${IN_A_CASE}, s.organisation_id, s.ref, s.version, s.origin
               FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::int[], $6::text[])
                 AS s (gate, review_id, organisation_id, ref, version, origin)
               JOIN ${onlyFor} g ON g.id = s.gate`,
      values: [
        plain(transactions.map(({ gate }) => gate)),
        plain(transactions.map(({ reviewId }) => reviewId)),
        plain(transactions.map(({ organisationId }) => organisationId)),
        plain(transactions.map(({ ref }) => ref)),
        plain(transactions.map(({ evaluationVersion }) => evaluationVersion)),
        plain(transactions.map(({ kind }) => (kind === 'MANUAL' ? 'OPERATOR' : 'EVALUATION'))),
      ],
    },
    {
      name: 'linked_hits',
      text: `INSERT INTO review_hits (review_id, organisation_id, hit_id)
               SELECT DISTINCT ${IN_A_CASE}, s.organisation_id, s.hit_id
               FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[]) AS s (gate, review_id, organisation_id, hit_id)
               JOIN ${onlyFor} g ON g.id = s.gate
               ON CONFLICT DO NOTHING`,
      values: [
        plain(hits.map(({ gate }) => gate)),
        plain(hits.map(({ reviewId }) => reviewId)),
        plain(hits.map(({ organisationId }) => organisationId)),
        plain(hits.map(({ hitId }) => hitId)),
      ],
    },
  ];
}

/** Opens cases in a transaction of its own. */
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

const ofPriority = ({ request }: Plan): number => rankOf(request.priority);
const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);
const most = (scores: readonly (number | null)[]): number | null => {
  const known = scores.filter((score) => score !== null);
  return known.length === 0 ? null : Math.max(...known);
};
