import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import {
  column,
  execute,
  isIn,
  nullable,
  properties,
  sqlArray,
  statement,
  system,
  UnitOfWork,
  value,
  type Clause,
  type Rows,
  type Tx,
} from '../../../../platform/database/index.js';
import { messageClauseAmong } from '../../../../platform/queue/index.js';
import { VELOCITY_CAP } from '../../domain/facts/velocity-log.js';
import { CURRENT_DECISION } from '../decision.repository.js';
import { KytDecisionEntity, KytEvaluationEntity, KytLateEffectEntity } from '../entities.js';
import {
  reachHours,
  velocityDimensions,
  windowDimensions,
  type WindowDimension,
} from '../velocity.queries.js';

/** Maximum number of transactions to re-evaluate because of one late transaction; the newest are chosen. */
const MAX_JUDGED = 200;
// Maximum number of items that one run of the reconciler announces again; the next run follows in seconds.
const MAX_OVERDUE = 5_000;

// The time from which the reconciler announces the work (again). Before it, the job in the outbox should have done it.
const DUE_AT = `now() + interval '60 seconds'`;

// Returns the key columns of a dimension. Rows from before the customer's document was known have the external id as
// key.
const keysOf = (dimension: WindowDimension): string =>
  dimension === 'customer' ? 'l.customer_key, l.external_key' : `l.${dimension}_key`;

/**
 * Returns the FROM and WHERE of the transactions that share a key, or the value of a custom field, with the late
 * transaction.
 */
const fromSharing = (dimension: WindowDimension): string =>
  dimension === 'custom'
    ? `kyt_transactions t JOIN kyt_custom_field_values v ON v.transaction_ref = t.id
       JOIN kyt_custom_field_values h ON h.organisation_id = v.organisation_id AND h.key = v.key
     WHERE h.organisation_id = l.organisation_id AND h.seq = l.seq`
    : `kyt_transactions t
     WHERE t.organisation_id = l.organisation_id AND t.${dimension}_key IN (${keysOf(dimension)})`;

/**
 * Returns SQL for how far back the windows of a key reach: the built-in reach, or the longest that a ruleset has ever
 * declared.
 */
function reachOf(dimension: WindowDimension): string {
  const always = velocityDimensions.find((one) => one === dimension);
  return `greatest(interval '${always ? reachHours[always] : 0} hours', (SELECT make_interval(mins => r.minutes)
      FROM aggregate_reaches r WHERE r.organisation_id = l.organisation_id AND r.log = '${dimension}'))`;
}

/**
 * Returns a query for the transactions of one key that occurred after the late transaction, were received before it,
 * and whose windows include it. Skips transactions of the same commit and queued transactions, whose evaluations see
 * the late transaction anyway; a transaction under evaluation is selected, because its evaluation may have missed it.
 */
const affectedBy = (dimension: WindowDimension): string => `SELECT a.* FROM late l CROSS JOIN LATERAL (
    SELECT t.id, t.occurred_at, t.seq FROM ${fromSharing(dimension)}
      AND t.occurred_at > l.occurred_at AND t.occurred_at < l.occurred_at + ${reachOf(dimension)}
      AND t.seq < l.seq AND t.xmin <> l.xmin
      AND NOT EXISTS (SELECT 1 FROM kyt_work w WHERE w.transaction_ref = t.id AND w.status <> 'PROCESSING')
    ORDER BY t.occurred_at DESC, t.seq DESC LIMIT ${VELOCITY_CAP}) a`;

const FIND = statement(
  'kyt.find-affected',
  `WITH arrived AS (
     DELETE FROM kyt_late_effects WHERE affected_ref = $1 AND state = 'ARRIVED' RETURNING late_ref, organisation_id),
   late AS (SELECT t.xmin, t.* FROM kyt_transactions t WHERE ${isIn('t.id', 'arrived', 'late_ref')} AND t.id = $1),
   affected AS (${windowDimensions.map(affectedBy).join('\nUNION ')}),
   found AS (
     INSERT INTO kyt_late_effects (affected_ref, late_ref, organisation_id, state, due_at)
     SELECT a.id, l.id, l.organisation_id, 'FOUND', ${DUE_AT}
     FROM (SELECT id FROM affected ORDER BY occurred_at DESC, seq DESC LIMIT ${MAX_JUDGED}) a CROSS JOIN late l
     ON CONFLICT DO NOTHING RETURNING affected_ref)
   SELECT organisation_id AS "organisationId", (SELECT count(*) FROM affected)::int AS affected,
          ARRAY(SELECT affected_ref FROM found) AS found
   FROM arrived`,
  {
    ...properties(KytLateEffectEntity, 'organisationId'),
    affected: 'integer',
    found: value<readonly string[]>('uuid[]'),
  },
);

/** The number of affected transactions, and the transactions to re-evaluate. */
export type LateImpact = Rows<typeof FIND>;

const FIND_TO_EVALUATE = statement(
  'kyt.late-to-judge',
  `SELECT affected_ref AS "affectedRef", organisation_id AS "organisationId",
          array_agg(late_ref ORDER BY late_ref) AS "lateRefs"
   FROM kyt_late_effects WHERE affected_ref = ANY ($1::uuid[]) AND state = 'FOUND'
   GROUP BY affected_ref, organisation_id ORDER BY affected_ref`,
  {
    ...properties(KytLateEffectEntity, 'affectedRef', 'organisationId'),
    lateRefs: value<readonly string[]>('uuid[]'),
  },
);

export type AffectedTransaction = Rows<typeof FIND_TO_EVALUATE>;

const FIND_PREVIOUS_EVALUATION = statement(
  'kyt.judged-before',
  `SELECT e.evaluation_version AS version, e.outcome, e.risk_score AS score, e.receipt, e.facts, d.outcome AS decided
   FROM kyt_evaluations e ${CURRENT_DECISION}
   WHERE e.organisation_id = $1 AND e.transaction_ref = $2 ORDER BY e.evaluation_version DESC LIMIT 1`,
  {
    ...properties(KytEvaluationEntity, 'outcome', 'receipt', 'facts'),
    version: column(KytEvaluationEntity, 'evaluationVersion'),
    score: column(KytEvaluationEntity, 'riskScore'),
    decided: nullable(column(KytDecisionEntity, 'outcome')),
  },
);

/** The newest evaluation of a transaction, and a person's decision about it. */
export type PreviousEvaluation = Rows<typeof FIND_PREVIOUS_EVALUATION>;

// Work on queued and dead-lettered transactions is dropped: they read their windows when they are evaluated.
const DELETE_WAITING_EFFECTS = statement(
  'kyt.late-drop-waiting',
  `DELETE FROM kyt_late_effects e USING kyt_work w
   WHERE e.affected_ref = $1 AND e.organisation_id = $2 AND e.state = 'FOUND'
     AND w.transaction_ref = e.affected_ref AND w.status <> 'PROCESSING'`,
);

const requeueUnfinished = (due: string): string => `UPDATE kyt_late_effects SET due_at = ${DUE_AT}
  WHERE ${isIn('(affected_ref, late_ref)', 'due', 'affected_ref, late_ref')} AND ${due}
  RETURNING affected_ref AS id`;

const TAKE_UNFINISHED = {
  overdue: statement(
    'kyt.late-overdue',
    `WITH due AS (SELECT affected_ref, late_ref FROM kyt_late_effects WHERE due_at < now() ORDER BY due_at
                  LIMIT ${MAX_OVERDUE} FOR UPDATE SKIP LOCKED)
     ${requeueUnfinished('due_at < now()')}`,
    { id: column(KytLateEffectEntity, 'affectedRef') },
  ),
  all: statement(
    'kyt.late-unfinished',
    `WITH due AS (SELECT affected_ref, late_ref FROM kyt_late_effects FOR UPDATE SKIP LOCKED)
     ${requeueUnfinished('true')}`,
    { id: column(KytLateEffectEntity, 'affectedRef') },
  ),
};

/** Re-evaluations that are due because of late transactions. */
@Injectable()
export class LateEffectRepository {
  constructor(private readonly uow: UnitOfWork) {}

  /** Finds the transactions that a late transaction affects, and stores the newest; null if done before. */
  async storeAffected(tx: Tx, lateRef: string): Promise<LateImpact | null> {
    const [found] = await execute(tx, FIND, [lateRef]);
    return found ?? null;
  }

  async findToReEvaluate(refs: readonly string[]): Promise<AffectedTransaction[]> {
    return this.uow.rows(system('kyt.late-effects'), FIND_TO_EVALUATE, [sqlArray.uuids(refs)]);
  }

  async findPreviousEvaluation({
    organisationId,
    affectedRef,
  }: AffectedTransaction): Promise<PreviousEvaluation | null> {
    const [row] = await this.uow.rows(organisationId, FIND_PREVIOUS_EVALUATION, [
      organisationId,
      affectedRef,
    ]);
    return row ?? null;
  }

  /** Ends the work. Returns false if another process has ended it before. */
  async markDone(tx: Tx, { organisationId, affectedRef, lateRefs }: AffectedTransaction): Promise<boolean> {
    const foundEffect = { affectedRef, lateRef: In([...lateRefs]), organisationId, state: 'FOUND' } as const;
    return ((await tx.delete(KytLateEffectEntity, foundEffect)).affected ?? 0) > 0;
  }

  /** Drops the work on a transaction without an evaluation, unless a worker holds it. */
  async dropWaiting(tx: Tx, { organisationId, affectedRef }: AffectedTransaction): Promise<void> {
    await execute(tx, DELETE_WAITING_EFFECTS, [affectedRef, organisationId]);
  }

  /** Returns unfinished work that no job announces, and makes it due again a minute later. */
  async requeueUnfinished(tx: Tx, which: 'overdue' | 'all'): Promise<string[]> {
    const rows = await execute(tx, TAKE_UNFINISHED[which], []);
    return [...new Set(rows.map(({ id }) => id))];
  }
}

/** Clauses that store and announce those late transactions that clause `onlyFor` returned. */
export function lateArrivalClauses(
  late: readonly { readonly transaction: { readonly id: string; readonly organisationId: string } }[],
  onlyFor: string,
): Clause[] {
  const ids = late.map(({ transaction }) => transaction.id);
  return [
    {
      name: 'arrived_late',
      text: `INSERT INTO kyt_late_effects (affected_ref, late_ref, organisation_id, state, due_at)
               SELECT l.id, l.id, l.organisation_id, 'ARRIVED', ${DUE_AT} FROM unnest($1::uuid[], $2::uuid[]) AS l (id, organisation_id)
               WHERE ${isIn('l.id', onlyFor)}`,
      values: [
        sqlArray.uuids(ids),
        sqlArray.uuids(late.map(({ transaction }) => transaction.organisationId)),
      ],
    },
    messageClauseAmong('late_announced', 'kyt.late-effects', onlyFor, ids),
  ];
}
