import { Injectable } from '@nestjs/common';
import { ExchangeRatesService, ExchangeRateTable } from '../../fx/index.js';
import { LocalDays } from '../../../platform/kernel/values/local-day.js';
import {
  FactSheet,
  RulesetRegistryService,
  type FactValue,
  type FeatureSchema,
  type PublishedCustomFields,
} from '../../rules/index.js';
import { setAggregateFacts } from '../domain/aggregates/aggregate-facts.js';
import { windowNeedsOf } from '../domain/aggregates/window-needs.js';
import type { CurrentTransaction } from '../domain/aggregates/window-rows.js';
import { secondCustomerKeyOf } from '../domain/facts/other-key.js';
import { packedKeyOf, VelocityLog } from '../domain/facts/velocity-log.js';
import {
  VelocityReader,
  type KeyedTransaction,
  type WindowQuestion,
} from '../facts/windows/velocity-reader.js';
import { BacktestRowsQueries, type BacktestRow } from '../store/backtest-rows.queries.js';

/** An evaluated transaction whose aggregates are to be computed. */
export interface BacktestTransaction {
  readonly ref: string;
  /** The amount of the evaluation; null if there was no exchange rate. */
  readonly amountBrl: number | null;
}

const BATCH = 250;

/**
 * Computes, for earlier transactions, aggregates that no ruleset declared at the time of their evaluation. Uses the
 * rows and times that the evaluation would have used.
 */
@Injectable()
export class BacktestAggregatesService {
  private readonly days = new LocalDays();

  constructor(
    private readonly rows: BacktestRowsQueries,
    private readonly reader: VelocityReader,
    private readonly rates: ExchangeRatesService,
    private readonly registry: RulesetRegistryService,
  ) {}

  /** Returns one fact sheet per transaction, in order, with only the declared facts of the schema. */
  async compute(
    organisationId: string,
    schema: FeatureSchema,
    evaluated: readonly BacktestTransaction[],
  ): Promise<readonly FactSheet[]> {
    const rates =
      (await this.rates.readTables([organisationId])).get(organisationId) ?? ExchangeRateTable.EMPTY;
    const { customFields } = await this.registry.readLive(organisationId);
    const sheets: FactSheet[] = [];
    for (let from = 0; from < evaluated.length; from += BATCH) {
      const batch = evaluated.slice(from, from + BATCH);
      sheets.push(...(await this.computeBatch(organisationId, schema, batch, rates, customFields)));
    }
    return sheets;
  }

  private async computeBatch(
    organisationId: string,
    schema: FeatureSchema,
    batch: readonly BacktestTransaction[],
    rates: ExchangeRateTable,
    customFields: PublishedCustomFields,
  ): Promise<readonly FactSheet[]> {
    const storedRows = await this.rows.findByRefs(
      organisationId,
      batch.map(({ ref }) => ref),
    );
    const questions = batch.flatMap(({ ref, amountBrl }) => {
      const row = storedRows.get(ref);
      return row ? [{ ref, row, amountBrl, question: questionOf(row, schema, customFields) }] : [];
    });
    const readings = await this.reader.read(questions.map(({ question }) => question));
    const facts = new Map(
      questions.map(({ ref, row, amountBrl, question }, i) => {
        const sheet = new FactSheet(schema);
        const reading = readings[i];
        if (!reading) throw new Error('readings and batch differ in length');
        const { customer, device, ip, aggregates, details } = reading;
        setAggregateFacts(sheet, currentOf(row, question, amountBrl), {
          logs: { customer, device, ip, ...aggregates },
          details,
          rates,
          days: this.days,
        });
        return [ref, sheet] as const;
      }),
    );
    return batch.map(({ ref }) => facts.get(ref) ?? new FactSheet(schema));
  }
}

function questionOf(
  row: BacktestRow,
  schema: FeatureSchema,
  customFields: PublishedCustomFields,
): WindowQuestion {
  const transaction: KeyedTransaction = {
    organisationId: row.organisation_id,
    clientAppId: row.client_app_id,
    customerKey: row.customer_key,
    deviceKey: row.device_key,
    ipKey: row.ip_key,
    counterpartyKey: row.counterparty_key,
    accountKey: row.account_key,
    cardKey: row.card_key,
    occurredAt: row.occurred_at,
    seq: row.seq,
  };
  const needs = windowNeedsOf(schema);
  const keys = (row.customFields ?? []).flatMap(({ field, key }) =>
    key === null ? [] : [[field, Buffer.from(key, 'hex')] as const],
  );
  const values = (row.customFields ?? []).flatMap(({ field, value }): [number, FactValue][] =>
    value === null ? [] : [[field, value]],
  );
  const needed = [
    ...needs.customFieldReach.keys(),
    ...[...needs.valuesOf.values()].flatMap((own) => [...own]),
  ];
  return {
    transaction,
    otherKey: secondCustomerKeyOf(
      { customerKey: row.customer_key, externalKey: row.external_key },
      { subjectIndex: row.subject_index },
    ),
    needs,
    customFieldKeys: new Map(keys),
    customFieldValues: new Map(values),
    unfilled: new Set(needed.filter((field) => !customFields.isBackfilled(field))),
  };
}

const currentOf = (
  row: BacktestRow,
  { otherKey, customFieldValues }: WindowQuestion,
  amountBrl: number | null,
): CurrentTransaction => ({
  own: VelocityLog.decode(row.packed, 1, false),
  keys: {
    customer: packedKeyOf(row.customer_key),
    customerToo: packedKeyOf(otherKey),
    document: packedKeyOf(row.document_key),
    counterparty: packedKeyOf(row.counterparty_key),
    account: packedKeyOf(row.account_key),
    device: packedKeyOf(row.device_key),
    ip: packedKeyOf(row.ip_key),
    card: packedKeyOf(row.card_key),
  },
  amountBrl,
  custom: customFieldValues,
  asOf: Math.min(row.occurred_at.getTime(), row.received_at.getTime()),
});
