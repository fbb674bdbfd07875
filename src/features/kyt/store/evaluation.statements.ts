import { appendClause } from '../../audit/index.js';
import {
  column,
  columns,
  composite,
  selectIds,
  isIn,
  unnested,
  type Clause,
} from '../../../platform/database/index.js';
import { messageClauseAmong } from '../../../platform/queue/index.js';
import { reviewClauses, type PreparedReview } from '../../reviews/index.js';
import { cooldownClause, type CountedHit } from '../../rules/index.js';
import {
  reEvaluatedClause,
  stepUpClauses,
  type StepUpRequestLink,
  type PreparedStepUp,
} from '../../sessions/index.js';
import { FIRST_WAITS, publishClauses, HAS_DELIVERIES } from '../../webhooks/index.js';
import type { EvaluatedTransaction } from '../domain/stored/evaluated-transaction.js';
import { KytTransactionEntity, KytWorkEntity } from './entities.js';
import { lateArrivalClauses } from './work/late-effect.repository.js';
import { completedClause, concludeClause, type NewestVersion } from './work/transaction-work.repository.js';

const STORED: Clause = {
  name: 'stored',
  text: `${selectIds('concluded')} UNION ALL ${selectIds('stepped_up')}`,
  values: [],
};

const EVALUATIONS = unnested<EvaluatedTransaction>(
  { uuid: { transactionRef: 'transaction.id' }, int: ['evaluationVersion'] },
  { uuid: ['transaction.organisationId'], code: ['evaluation.outcome', 'evaluation.recommendedAction'] },
  { int: { riskScore: 'evaluation.score' }, code: { riskLevel: 'evaluation.level' } },
  { code: ['evaluation.composition'], boolean: ['evaluation.defensible'] },
  { uuid: { rulesetId: ({ ruleset }) => ruleset?.id ?? null } },
  { bytea: { receipt: 'receipt.packed', receiptHash: 'receipt.hash', trailHash: 'evaluated.hash' } },
  { timestamptz: ['evaluatedAt'], bytea: ['receipt.facts'], text: ['brief'] },
);
const INSERT_EVALUATIONS = `INSERT INTO kyt_evaluations (${EVALUATIONS.columns}) SELECT s.* FROM ${EVALUATIONS.from()}`;

/** A clause that stores the evaluations of those transactions that clause `onlyFor` returned. */
const evaluatedClause = (rows: readonly EvaluatedTransaction[], onlyFor: string): Clause => ({
  name: 'evaluated',
  text: `${INSERT_EVALUATIONS} WHERE ${isIn('s.transaction_ref', onlyFor)}`,
  values: EVALUATIONS.arrays(rows),
});

/** Sessions that the rules of a batch request. */
interface RequestedStepUps {
  readonly all: readonly PreparedStepUp[];
  /** Sessions to open now; null if no session is opened. */
  readonly opened: readonly NonNullable<PreparedStepUp['made']>[] | null;
}

/** A batch of first evaluations; null means nothing to store. */
interface Conclusion {
  readonly batch: readonly EvaluatedTransaction[];
  readonly counted: readonly CountedHit[] | null;
  readonly reviews: readonly PreparedReview[] | null;
  readonly asked: RequestedStepUps | null;
  readonly cash: readonly string[] | null;
  readonly late: readonly EvaluatedTransaction[] | null;
  readonly firstWait: number;
}

/** Stores the evaluations of a batch, with everything that belongs to them, and ends its work. */
export const CONCLUDE = composite('kyt-conclude', {
  clauses: ({ batch, counted, reviews, asked, cash, late, firstWait }: Conclusion) => {
    const newSession = asked?.opened ?? null;
    // Session events are written only if their evaluation was stored.
    const storedClause = newSession ? 'stored' : 'concluded';
    return [
      concludeClause(batch.map(({ transaction }) => transaction)),
      evaluatedClause(batch, 'concluded'),
      ...(asked ? stepUpClauses(asked.all, 'concluded') : []),
      ...(newSession ? [STORED] : []),
      appendClause(
        [...batch.map((row) => row.evaluated), ...(newSession ?? []).map(({ entry }) => entry)],
        storedClause,
      ),
      ...publishClauses(
        [...batch.map((row) => row.completed), ...(newSession ?? []).map(({ event }) => event)],
        storedClause,
        firstWait,
      ),
      ...(counted ? [cooldownClause(counted, 'concluded')] : []),
      ...(reviews ? reviewClauses(reviews, 'concluded') : []),
      ...(cash ? [messageClauseAmong('cash_reported', 'dossiers.coaf', 'concluded', cash)] : []),
      ...(late ? lateArrivalClauses(late, 'concluded') : []),
    ];
  },
  every: {
    batch: [[]],
    counted: [null, []],
    reviews: [null, []],
    asked: [null, { all: [], opened: null }, { all: [], opened: [] }],
    cash: [null, []],
    late: [null, []],
    firstWait: FIRST_WAITS,
  },
  result: `SELECT id, ${HAS_DELIVERIES} AS "hasDeliveries" FROM concluded`,
  shape: { id: column(KytWorkEntity, 'transactionRef'), hasDeliveries: 'boolean' },
  prepared: true,
});

/** A further evaluation of an evaluated transaction. */
interface Version {
  readonly of: NewestVersion;
  /** The step-up request that the evaluation answers; null if it answers no request. */
  readonly answers: StepUpRequestLink | null;
  readonly rows: readonly EvaluatedTransaction[];
  readonly reviews: readonly PreparedReview[] | null;
  readonly firstWait: number;
}

/** Stores the next version, with everything that belongs to it; stores nothing if another version was stored first. */
export const ADD_VERSION = composite('kyt-re-evaluate', {
  clauses: ({ of, answers, rows, reviews, firstWait }: Version) => [
    ...(answers
      ? [
          completedClause('newest', of),
          reEvaluatedClause('answered', answers, 'newest'),
          { name: 'concluded', text: 'SELECT newest.id FROM newest JOIN answered USING (id)', values: [] },
        ]
      : [completedClause('concluded', of)]),
    evaluatedClause(rows, 'concluded'),
    appendClause(
      rows.map(({ evaluated }) => evaluated),
      'concluded',
    ),
    ...publishClauses(
      rows.map(({ completed }) => completed),
      'concluded',
      firstWait,
    ),
    ...(reviews ? reviewClauses(reviews, 'concluded') : []),
  ],
  every: {
    of: [{ id: '', newestVersion: 1, unlessDecided: false }],
    answers: [null, { sessionId: '', organisationId: '', transactionRef: '', announcedAt: '' }],
    rows: [[]],
    reviews: [null, []],
    firstWait: FIRST_WAITS,
  },
  result: selectIds('concluded'),
  shape: columns(KytTransactionEntity, 'id'),
  prepared: false,
});
