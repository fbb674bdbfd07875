import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../database/index.js';
import {
  ageBuckets,
  type AgeFigures,
  type ComplianceFigures,
  type DayFigures,
  type DecisionFigures,
  type ListFigures,
  type RuleFigures,
} from '../domain/compliance-figures.js';

/** A span of time with its local days. */
export interface FigureSpan {
  readonly from: Date;
  /** Not included. */
  readonly to: Date;
  readonly now: Date;
}

const LOCAL = `AT TIME ZONE 'America/Sao_Paulo'`;
const CLOSED = `r.organisation_id = $1 AND r.status = 'CLOSED' AND r.closed_at >= $2 AND r.closed_at < $3`;

/** Counts over what reviews, screening and evaluations have stored. Reads only. */
@Injectable()
export class ComplianceQueries {
  constructor(private readonly uow: UnitOfWork) {}

  /** Cases opened on each local day, by kind; days without any are left out. */
  alertsPerDay(organisationId: string, { from, to }: FigureSpan): Promise<DayFigures[]> {
    return this.query(
      organisationId,
      `SELECT to_char(r.opened_at ${LOCAL}, 'YYYY-MM-DD') AS day, r.kind, count(*)::int AS opened
       FROM reviews r WHERE r.organisation_id = $1 AND r.opened_at >= $2 AND r.opened_at < $3
       GROUP BY 1, 2 ORDER BY 1, 2`,
      [organisationId, from, to],
    );
  }

  async ageing(organisationId: string, { now }: FigureSpan): Promise<AgeFigures[]> {
    const rows = await this.query<AgeFigures>(
      organisationId,
      `SELECT CASE WHEN days <= 7 THEN '0-7' WHEN days <= 30 THEN '8-30' WHEN days <= 45 THEN '31-45' ELSE '46+' END
                AS days, count(*)::int AS cases
       FROM (SELECT floor(extract(epoch FROM $2::timestamptz - r.opened_at) / 86400) AS days
             FROM reviews r WHERE r.organisation_id = $1 AND r.status <> 'CLOSED') a
       GROUP BY 1`,
      [organisationId, now],
    );
    return ageBuckets.map((days) => ({ days, cases: rows.find((row) => row.days === days)?.cases ?? 0 }));
  }

  async timeToDecision(organisationId: string, { from, to }: FigureSpan): Promise<DecisionFigures> {
    const [row] = await this.query<DecisionFigures>(
      organisationId,
      `SELECT count(*)::int AS cases, round(avg(hours)::numeric, 2)::float8 AS "meanHours",
              round(percentile_cont(0.5) WITHIN GROUP (ORDER BY hours)::numeric, 2)::float8 AS "medianHours",
              round(percentile_cont(0.9) WITHIN GROUP (ORDER BY hours)::numeric, 2)::float8 AS "p90Hours"
       FROM (SELECT extract(epoch FROM r.closed_at - r.opened_at)::float8 / 3600 AS hours FROM reviews r
             WHERE ${CLOSED}) h`,
      [organisationId, from, to],
    );
    return row ?? { cases: 0, meanHours: null, medianHours: null, p90Hours: null };
  }

  /** A case counts once for a rule, however many of its transactions give the rule as a reason. */
  rules(organisationId: string, { from, to }: FigureSpan): Promise<RuleFigures[]> {
    return this.query(
      organisationId,
      `SELECT "ruleId", count(*)::int AS cases, count(*) FILTER (WHERE fate = 'TRUE')::int AS "truePositives",
              count(*) FILTER (WHERE fate = 'FALSE')::int AS "falsePositives",
              count(*) FILTER (WHERE fate = 'OTHER')::int AS others
       FROM (SELECT DISTINCT r.id, reason ->> 'ruleId' AS "ruleId",
                    CASE WHEN r.resolution = 'REJECTED' OR r.report = 'COMMUNICATE' THEN 'TRUE'
                         WHEN r.resolution = 'FALSE_POSITIVE' THEN 'FALSE' ELSE 'OTHER' END AS fate
             FROM reviews r
             JOIN review_transactions l ON l.review_id = r.id AND l.organisation_id = $1
             JOIN kyt_evaluations e ON e.transaction_ref = l.transaction_ref
               AND e.evaluation_version = l.evaluation_version AND e.organisation_id = $1
             CROSS JOIN LATERAL jsonb_array_elements(e.receipt::jsonb -> 'reasons') AS reason
             WHERE ${CLOSED}) f
       GROUP BY 1 ORDER BY 2 DESC, 1`,
      [organisationId, from, to],
    );
  }

  lists(organisationId: string, { from, to }: FigureSpan): Promise<ListFigures[]> {
    return this.query(
      organisationId,
      `SELECT l.key AS list, count(*)::int AS hits, count(*) FILTER (WHERE h.status = 'CONFIRMED')::int AS confirmed,
              count(*) FILTER (WHERE h.status = 'DISMISSED_FALSE_POSITIVE')::int AS dismissed,
              count(*) FILTER (WHERE h.status IN ('PENDING', 'ESCALATED'))::int AS waiting
       FROM screening_hits h JOIN screening_lists l ON l.id = h.list_id
       WHERE h.organisation_id = $1 AND h.created_at >= $2 AND h.created_at < $3
       GROUP BY 1 ORDER BY 2 DESC, 1`,
      [organisationId, from, to],
    );
  }

  async overdue(organisationId: string, { now }: FigureSpan): Promise<ComplianceFigures['overdue']> {
    const [row] = await this.query<ComplianceFigures['overdue']>(
      organisationId,
      `SELECT (SELECT count(*)::int FROM reviews WHERE organisation_id = $1 AND status <> 'CLOSED' AND due_at < $2) AS cases,
              (SELECT count(*)::int FROM coaf_communications
               WHERE organisation_id = $1 AND status <> 'FILED' AND due_at < $2) AS communications`,
      [organisationId, now],
    );
    return row ?? { cases: 0, communications: 0 };
  }

  private query<Row>(organisationId: string, text: string, values: readonly unknown[]): Promise<Row[]> {
    return this.uow.read(organisationId, (db) => db.query<Row[]>(text, [...values]));
  }
}
