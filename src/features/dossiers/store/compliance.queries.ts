import { Injectable } from '@nestjs/common';
import {
  column,
  properties,
  statement,
  UnitOfWork,
  value,
  type Statement,
} from '../../../platform/database/index.js';
import { ReviewEntity, ReviewLabelEntity } from '../../reviews/index.js';
import { ScreeningListEntity } from '../../screening/index.js';
import { ageBuckets, type AgeBucket } from '../domain/age-buckets.js';
import type {
  AgeFigures,
  DayFigures,
  DecisionFigures,
  ListFigures,
  OverdueCounts,
  RuleFigures,
} from '../domain/compliance-figures.js';

/** The time span of a report. `now` is the time to which ages are computed. */
export interface FigureSpan {
  readonly from: Date;
  /** Exclusive. */
  readonly to: Date;
  readonly now: Date;
}

const LOCAL = `AT TIME ZONE 'America/Sao_Paulo'`;
const IS_CLOSED_IN_SPAN = `r.organisation_id = $1 AND r.status = 'CLOSED' AND r.closed_at >= $2 AND r.closed_at < $3`;

const ALERTS_PER_DAY = statement(
  'compliance.alerts-per-day',
  `SELECT to_char(r.opened_at ${LOCAL}, 'YYYY-MM-DD') AS day, r.kind, count(*)::int AS opened
   FROM reviews r WHERE r.organisation_id = $1 AND r.opened_at >= $2 AND r.opened_at < $3
   GROUP BY 1, 2 ORDER BY 1, 2`,
  { ...properties(ReviewEntity, 'kind'), day: 'text', opened: 'integer' },
);

const COUNT_OPEN_BY_AGE = statement(
  'compliance.ageing',
  `SELECT CASE WHEN days <= 7 THEN '0-7' WHEN days <= 30 THEN '8-30' WHEN days <= 45 THEN '31-45' ELSE '46+' END
            AS days, count(*)::int AS cases
   FROM (SELECT floor(extract(epoch FROM $2::timestamptz - r.opened_at) / 86400) AS days
         FROM reviews r WHERE r.organisation_id = $1 AND r.status <> 'CLOSED' AND r.status <> 'MERGED') a
   GROUP BY 1`,
  { days: value<AgeBucket>('text'), cases: 'integer' },
);

const TIME_TO_DECISION = statement(
  'compliance.time-to-decision',
  `SELECT count(*)::int AS cases, round(avg(hours)::numeric, 2)::float8 AS "meanHours",
          round(percentile_cont(0.5) WITHIN GROUP (ORDER BY hours)::numeric, 2)::float8 AS "medianHours",
          round(percentile_cont(0.9) WITHIN GROUP (ORDER BY hours)::numeric, 2)::float8 AS "p90Hours"
   FROM (SELECT extract(epoch FROM r.closed_at - r.opened_at)::float8 / 3600 AS hours FROM reviews r
         WHERE ${IS_CLOSED_IN_SPAN}) h`,
  { cases: 'integer', meanHours: 'float8 | null', medianHours: 'float8 | null', p90Hours: 'float8 | null' },
);

const RULES = statement(
  'compliance.rules',
  `SELECT "ruleId", count(*)::int AS cases, count(*) FILTER (WHERE fate = 'TRUE')::int AS "truePositives",
          count(*) FILTER (WHERE fate = 'FALSE')::int AS "falsePositives",
          count(*) FILTER (WHERE fate = 'OTHER')::int AS others
   FROM (SELECT r.id, l.value AS "ruleId",
                CASE WHEN r.resolution = 'REJECTED' OR r.report = 'COMMUNICATE' THEN 'TRUE'
                     WHEN r.resolution = 'FALSE_POSITIVE' THEN 'FALSE' ELSE 'OTHER' END AS fate
         FROM reviews r
         JOIN review_labels l ON l.review_id = r.id AND l.organisation_id = $1 AND l.kind = 'RULE'
         WHERE ${IS_CLOSED_IN_SPAN}) f
   GROUP BY 1 ORDER BY 2 DESC, 1`,
  {
    ruleId: column(ReviewLabelEntity, 'value'),
    cases: 'integer',
    truePositives: 'integer',
    falsePositives: 'integer',
    others: 'integer',
  },
);

const LISTS = statement(
  'compliance.lists',
  `SELECT l.key AS list, count(*)::int AS hits, count(*) FILTER (WHERE h.status = 'CONFIRMED')::int AS confirmed,
          count(*) FILTER (WHERE h.status = 'DISMISSED_FALSE_POSITIVE')::int AS dismissed,
          count(*) FILTER (WHERE h.status IN ('PENDING', 'ESCALATED'))::int AS waiting
   FROM screening_hits h JOIN screening_lists l ON l.id = h.list_id
   WHERE h.organisation_id = $1 AND h.created_at >= $2 AND h.created_at < $3
   GROUP BY 1 ORDER BY 2 DESC, 1`,
  {
    list: column(ScreeningListEntity, 'key'),
    hits: 'integer',
    confirmed: 'integer',
    dismissed: 'integer',
    waiting: 'integer',
  },
);

const COUNT_OVERDUE = statement(
  'compliance.overdue',
  `SELECT (SELECT count(*)::int FROM reviews WHERE organisation_id = $1 AND status <> 'CLOSED' AND status <> 'MERGED' AND due_at < $2) AS cases,
          (SELECT count(*)::int FROM coaf_communications
           WHERE organisation_id = $1 AND status <> 'FILED' AND due_at < $2) AS communications`,
  { cases: 'integer', communications: 'integer' },
);

/** Reads the counts of cases, hits and evaluations. */
@Injectable()
export class ComplianceQueries {
  constructor(private readonly uow: UnitOfWork) {}

  /** Counts the cases opened per day (Brazilian time) and kind; omits days without cases. */
  countCasesOpenedPerDay(organisationId: string, { from, to }: FigureSpan): Promise<DayFigures[]> {
    return this.query(organisationId, ALERTS_PER_DAY, [organisationId, from, to]);
  }

  async readAgeFigures(organisationId: string, { now }: FigureSpan): Promise<AgeFigures[]> {
    const rows = await this.query(organisationId, COUNT_OPEN_BY_AGE, [organisationId, now]);
    return ageBuckets.map((days) => ({ days, cases: rows.find((row) => row.days === days)?.cases ?? 0 }));
  }

  async readTimeToDecision(organisationId: string, { from, to }: FigureSpan): Promise<DecisionFigures> {
    const [row] = await this.query(organisationId, TIME_TO_DECISION, [organisationId, from, to]);
    return row ?? { cases: 0, meanHours: null, medianHours: null, p90Hours: null };
  }

  /** Counts a case once per rule, even if the rule is a reason of several of its transactions. */
  readRuleFigures(organisationId: string, { from, to }: FigureSpan): Promise<RuleFigures[]> {
    return this.query(organisationId, RULES, [organisationId, from, to]);
  }

  readListFigures(organisationId: string, { from, to }: FigureSpan): Promise<ListFigures[]> {
    return this.query(organisationId, LISTS, [organisationId, from, to]);
  }

  async countOverdue(organisationId: string, { now }: FigureSpan): Promise<OverdueCounts> {
    const [row] = await this.query(organisationId, COUNT_OVERDUE, [organisationId, now]);
    return row ?? { cases: 0, communications: 0 };
  }

  private query<Row>(
    organisationId: string,
    statement: Statement<Row>,
    values: readonly unknown[],
  ): Promise<Row[]> {
    return this.uow.rows(organisationId, statement, values);
  }
}
