import { Injectable } from '@nestjs/common';
import { And, LessThan, MoreThanOrEqual } from 'typeorm';
import { columns, copyOut, statement, UnitOfWork } from '../../../platform/database/index.js';
import { firstUuidAt } from '../../../platform/kernel/index.js';
import {
  BacktestHistory,
  compileRuleset,
  isAggregate,
  packDeclared,
  readSnapshots,
  snapshotRefAt,
  type FeatureSchema,
  type HistoryPage,
  type HistoryRange,
  type HistorySpan,
  type RulesetContent,
} from '../../rules/index.js';
import {
  BacktestAggregatesService,
  type BacktestTransaction,
} from '../replay/backtest-aggregates.service.js';
import { KytEvaluationEntity, KytTransactionEntity } from './entities.js';

// A transaction may occur at most this long after its receipt, because the sender's clock may be ahead (decisions, 3).
const EARLIEST_MS = 5 * 60_000;

const SEEN = statement(
  'kyt.first-evaluations',
  `SELECT transaction_ref, coalesce(risk_score, -1) AS score, outcome || '|' || brief AS brief, facts
   FROM kyt_evaluations
   WHERE organisation_id = $1 AND evaluation_version = 1 AND transaction_ref > $2
     AND brief IS NOT NULL AND facts IS NOT NULL
   ORDER BY transaction_ref LIMIT $3`,
  { ...columns(KytEvaluationEntity, 'transactionRef', 'facts'), score: 'integer', brief: 'text' },
);

/** Reads the facts of first evaluations, for back-tests. */
@Injectable()
export class EvaluationHistoryRepository extends BacktestHistory {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly aggregates: BacktestAggregatesService,
  ) {
    super();
  }

  count({ organisationId, from, to }: HistorySpan): Promise<number> {
    const occurredAt = And(MoreThanOrEqual(from), LessThan(to));
    return this.uow.read(organisationId, (db) =>
      db.countBy(KytTransactionEntity, { organisationId, id: MoreThanOrEqual(earliest(from)), occurredAt }),
    );
  }

  async nextPage(
    { organisationId, from, content }: HistoryRange,
    after: string,
    limit: number,
  ): Promise<HistoryPage | null> {
    const start = earliest(from);
    const { bytes, count, last } = await this.uow.read(organisationId, (db) =>
      copyOut(db, SEEN, [organisationId, after < start ? start : after, limit]),
    );
    if (count === 0) return null;
    return {
      bytes,
      declared: await this.declared(organisationId, schemaOf(content), bytes),
      last: snapshotRefAt(bytes, last),
    };
  }

  /** Computes aggregates that the tested rules declare and that the evaluations lack. */
  private async declared(
    organisationId: string,
    schema: FeatureSchema,
    bytes: Uint8Array<ArrayBuffer>,
  ): Promise<Uint8Array<ArrayBuffer> | null> {
    if (!schema.declared.some(isAggregate)) return null;
    const evaluated: BacktestTransaction[] = [];
    const slot = schema.get('amountBrl').slot;
    readSnapshots(
      Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length),
      ({ transactionRef, evidence }) => {
        const amount = evidence.sheet.numbers[slot] ?? NaN;
        evaluated.push({ ref: transactionRef, amountBrl: Number.isNaN(amount) ? null : amount });
      },
    );
    return packDeclared(await this.aggregates.compute(organisationId, schema, evaluated));
  }
}

// All pages of a back-test have the same content object, so it is compiled once.
const schemas = new WeakMap<RulesetContent, FeatureSchema>();

function schemaOf(content: RulesetContent): FeatureSchema {
  let schema = schemas.get(content);
  if (!schema) {
    const compilation = compileRuleset(content);
    if (!compilation.ok) throw new Error('the ruleset of a back-test does not compile');
    schemas.set(content, (schema = compilation.ruleset.schema));
  }
  return schema;
}

const earliest = (from: Date): string => firstUuidAt(new Date(from.getTime() - EARLIEST_MS));
