import { Injectable } from '@nestjs/common';
import { column, prepared, sqlArray, statement, UnitOfWork } from '../../../../platform/database/index.js';
import type { FactValue } from '../../../rules/index.js';
import type { OutcomeSince } from '../../domain/aggregates/row-details.js';
import { KytEvaluationEntity, KytCustomFieldValueEntity } from '../entities.js';
import {
  LOG_REQUESTS,
  selectNewestRows,
  unnestLogRequests,
  windowDimensions,
  type LogRequests,
  type WindowDimension,
} from '../velocity.queries.js';

/**
 * Returns a query for every outcome that the rows of a log ever had, including rows under the customer's second key.
 */
const outcomeSection = (dimension: WindowDimension, place: number): string => {
  const id = dimension === 'custom' ? 't.transaction_ref' : 't.id';
  const rows = (key: string): string => `(${selectNewestRows(dimension, key, `${id} AS id, t.seq`)})`;
  const bothSelects =
    dimension === 'customer' ? `${rows('g.key')} UNION ALL ${rows('g.other_key')}` : rows('g.key');
  return `SELECT r.seq::text AS seq, o.at, o.outcome, o.place
    FROM ${unnestLogRequests(place)}
    CROSS JOIN LATERAL (${bothSelects}) r
    CROSS JOIN LATERAL (
      SELECT e.evaluated_at AS at, e.outcome, 2 * e.evaluation_version AS place FROM kyt_evaluations e WHERE e.transaction_ref = r.id
      UNION ALL
      SELECT d.decided_at, d.outcome, 2 * d.evaluation_version + 1 FROM kyt_decisions d
      WHERE d.organisation_id = g.organisation_id AND d.transaction_ref = r.id) o`;
};

const OUTCOMES = prepared(
  'kyt.row-outcomes',
  `${windowDimensions.map(outcomeSection).join('\nUNION ALL\n')} ORDER BY at, place`,
  {
    seq: 'text',
    at: column(KytEvaluationEntity, 'evaluatedAt'),
    outcome: column(KytEvaluationEntity, 'outcome'),
    place: 'integer',
  },
);

const CUSTOM_FIELD_VALUES = statement(
  'kyt.custom-field-values',
  `SELECT seq::text AS seq, field, value FROM kyt_custom_field_values
   WHERE organisation_id = $1 AND seq = ANY ($2::bigint[]) AND field = ANY ($3::int[])`,
  {
    seq: 'text',
    field: column(KytCustomFieldValueEntity, 'field'),
    value: column(KytCustomFieldValueEntity, 'value'),
  },
);

/** Reads values of rows that aggregates need and that logs do not hold. */
@Injectable()
export class RowDetailsQueries {
  constructor(private readonly uow: UnitOfWork) {}

  /** Returns the outcomes of the rows of these logs, by sequence number, in order of time. */
  async findOutcomes(
    organisations: readonly string[],
    logs: LogRequests,
  ): Promise<ReadonlyMap<number, readonly OutcomeSince[]>> {
    const outcomesByIndex = new Map<number, OutcomeSince[]>();
    if (windowDimensions.every((dimension) => logs[dimension].length === 0)) return outcomesByIndex;
    const values = windowDimensions.flatMap((dimension) => LOG_REQUESTS.arrays(logs[dimension]));
    for (const { seq, at, outcome } of await this.uow.write(organisations, OUTCOMES, values)) {
      const outcomesOfTransaction = outcomesByIndex.get(Number(seq));
      // A row that is in two logs is returned twice.
      if (outcomesOfTransaction?.some((one) => one.at === at.getTime() && one.outcome === outcome)) continue;
      if (outcomesOfTransaction) outcomesOfTransaction.push({ at: at.getTime(), outcome });
      else outcomesByIndex.set(Number(seq), [{ at: at.getTime(), outcome }]);
    }
    return outcomesByIndex;
  }

  /** Returns the values of custom fields, by sequence number and field. */
  async readCustomFieldValues(
    organisationId: string,
    seqs: readonly number[],
    fields: readonly number[],
  ): Promise<ReadonlyMap<number, ReadonlyMap<number, FactValue>>> {
    const valuesByIndex = new Map<number, Map<number, FactValue>>();
    if (seqs.length === 0 || fields.length === 0) return valuesByIndex;
    const rows = await this.uow.rows(organisationId, CUSTOM_FIELD_VALUES, [
      organisationId,
      sqlArray.plain(seqs),
      sqlArray.plain(fields),
    ]);
    for (const { seq, field, value } of rows) {
      // The values of personal fields are not stored here, because the column is not encrypted.
      if (value === null) continue;
      let values = valuesByIndex.get(Number(seq));
      if (!values) valuesByIndex.set(Number(seq), (values = new Map<number, FactValue>()));
      values.set(field, JSON.parse(value) as FactValue);
    }
    return valuesByIndex;
  }
}
