import { Injectable } from '@nestjs/common';
import { columns, statement, UnitOfWork, value, type Rows } from '../../../platform/database/index.js';
import type { FactValue } from '../../rules/index.js';
import { KytTransactionEntity } from './entities.js';

// The document comes from the customer's record as it is today, not as it was at the evaluation.
const ROWS = statement(
  'kyt.backtest-rows',
  `SELECT t.id, t.seq, t.organisation_id, t.client_app_id, t.occurred_at, t.received_at, t.document_key, t.customer_key, t.external_key,
     t.account_key, t.card_key, t.device_key, t.ip_key, t.counterparty_key,
     timestamptz_send(t.occurred_at) || int8send(t.seq) || t.velocity_entry AS packed,
     (SELECT c.document_index FROM customers c WHERE c.organisation_id = t.organisation_id
        AND c.external_index = t.external_key AND c.document_index IS NOT NULL LIMIT 1) AS subject_index,
     (SELECT json_agg(json_build_object('field', v.field, 'value', v.value::json, 'key', encode(v.key, 'hex')))
        FROM kyt_custom_field_values v WHERE v.organisation_id = t.organisation_id AND v.seq = t.seq) AS "customFields"
   FROM kyt_transactions t WHERE t.organisation_id = $1 AND t.id = ANY ($2::uuid[])`,
  {
    ...columns(
      KytTransactionEntity,
      'id',
      'seq',
      'organisationId',
      'clientAppId',
      'occurredAt',
      'receivedAt',
      'documentKey',
    ),
    ...columns(KytTransactionEntity, 'customerKey', 'externalKey', 'accountKey', 'cardKey', 'deviceKey'),
    ...columns(KytTransactionEntity, 'ipKey', 'counterpartyKey'),
    packed: 'bytea',
    subject_index: 'bytea | null',
    customFields: value<
      | readonly { readonly field: number; readonly value: FactValue | null; readonly key: string | null }[]
      | null
    >('json'),
  },
);

/** A stored transaction, in the form in which its windows include it. */
export type BacktestRow = Rows<typeof ROWS>;

/** Reads the transactions of a back-test, for aggregates that were not computed at their evaluation. */
@Injectable()
export class BacktestRowsQueries {
  constructor(private readonly uow: UnitOfWork) {}

  async findByRefs(
    organisationId: string,
    refs: readonly string[],
  ): Promise<ReadonlyMap<string, BacktestRow>> {
    const rows = await this.uow.rows(organisationId, ROWS, [organisationId, refs]);
    return new Map(rows.map((row) => [row.id, row]));
  }
}
