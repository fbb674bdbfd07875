import { Injectable } from '@nestjs/common';
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
import { EvaluationHistoryQueries } from '../store/evaluation-history.queries.js';
import { BacktestAggregatesService, type BacktestTransaction } from './backtest-aggregates.service.js';

/** Reads the facts of first evaluations, for back-tests. */
@Injectable()
export class EvaluationHistoryService extends BacktestHistory {
  constructor(
    private readonly evaluations: EvaluationHistoryQueries,
    private readonly aggregates: BacktestAggregatesService,
  ) {
    super();
  }

  count({ organisationId, from, to }: HistorySpan): Promise<number> {
    return this.evaluations.count(organisationId, from, to);
  }

  async nextPage(
    { organisationId, from, content }: HistoryRange,
    after: string,
    limit: number,
  ): Promise<HistoryPage | null> {
    const { bytes, count, last } = await this.evaluations.read(organisationId, from, after, limit);
    if (count === 0) return null;
    return {
      bytes,
      declared: await this.computeDeclared(organisationId, schemaOf(content), bytes),
      last: snapshotRefAt(bytes, last),
    };
  }

  /** Computes aggregates that the tested rules declare and that the evaluations lack. */
  private async computeDeclared(
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
