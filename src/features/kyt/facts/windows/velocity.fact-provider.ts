import { Inject, Injectable } from '@nestjs/common';
import { ExchangeRatesService, ExchangeRateTable } from '../../../fx/index.js';
import { LocalDays } from '../../../../platform/kernel/values/local-day.js';
import type { FactSheet, ComponentFinding, ComponentFindings } from '../../../rules/index.js';
import { setAggregateFacts } from '../../domain/aggregates/aggregate-facts.js';
import { currentTransactionOf } from '../../domain/aggregates/current-transaction.js';
import { windowNeedsOf } from '../../domain/aggregates/window-needs.js';
import type { DecryptedTransaction } from '../../domain/claimed.js';
import { NO_PARTIES, type FactProvider, type IdentifiedParties } from '../../domain/facts/evidence.js';
import {
  setVelocityFacts,
  type SingleControlRates,
  type VelocityReading,
} from '../../domain/facts/velocity-facts.js';
import { secondCustomerKeyOf } from '../../domain/facts/other-key.js';
import { packedKeyOf } from '../../domain/facts/velocity-log.js';
import { movesCash } from '../../../../platform/kernel/reference/transaction-types.js';
import { CustomFieldHistoryService } from './custom-field-history.service.js';
import { VelocityReader, type WindowQuestion } from './velocity-reader.js';

/**
 * Sets the facts about earlier transactions of the customer, device and address, and the aggregates that rulesets
 * declare. They are computed from the transactions table; there are no counters.
 */
@Injectable()
export class VelocityFactProvider implements FactProvider {
  readonly components = ['VELOCITY', 'DEVICE_IP'] as const;
  readonly sources = ['VELOCITY', 'AGGREGATE'] as const;
  private readonly days = new LocalDays();

  constructor(
    @Inject(VelocityReader)
    private readonly reader: {
      read(batch: readonly WindowQuestion<DecryptedTransaction>[]): Promise<VelocityReading[]>;
    },
    @Inject(ExchangeRatesService) private readonly rates: Pick<ExchangeRatesService, 'readTables'>,
    @Inject(CustomFieldHistoryService)
    private readonly customFieldHistory: Pick<CustomFieldHistoryService, 'read'>,
  ) {}

  async find(
    batch: readonly DecryptedTransaction[],
    sheets: readonly FactSheet[],
    parties: IdentifiedParties[],
  ): Promise<readonly ComponentFindings[]> {
    const books = await this.rates.readTables(batch.map(({ organisationId }) => organisationId));
    // Custom fields are read before the logs: a field that counts as back-filled here is then complete in the logs.
    const customFieldValues = await this.customFieldHistory.read(batch, sheets);
    const questions = batch.map((transaction, i): WindowQuestion<DecryptedTransaction> => {
      const [sheet, own] = [sheets[i], customFieldValues[i]];
      if (!sheet || !own) throw new Error('sheets and batch differ in length');
      const otherKey = secondCustomerKeyOf(transaction, parties[i] ?? NO_PARTIES);
      return { transaction, otherKey, needs: windowNeedsOf(sheet.schema), ...own };
    });
    const readings = await this.reader.read(questions);
    return questions.map((question, i) => {
      const [sheet, reading, { transaction }] = [sheets[i], readings[i], question];
      if (!sheet || !reading) throw new Error('readings and batch differ in length');
      const rates = books.get(transaction.organisationId) ?? ExchangeRateTable.EMPTY;
      const alone = this.setFacts(sheet, question, reading, rates);
      const identifiedParties = parties[i] ?? NO_PARTIES;
      // oxlint-disable-next-line house/no-leading-spread -- replaces an item, adds none
      if (reading.cameLate) parties[i] = { ...identifiedParties, cameLate: true };
      return {
        VELOCITY: markSingleControl(velocityFindingOf(transaction), alone.customer),
        DEVICE_IP: markSingleControl(deviceFindingOf(transaction), alone.device),
      };
    });
  }

  private setFacts(
    sheet: FactSheet,
    { transaction, otherKey, customFieldValues }: WindowQuestion<DecryptedTransaction>,
    reading: VelocityReading,
    rates: ExchangeRateTable,
  ): SingleControlRates {
    const { submission } = transaction;
    const amount = sheet.numbers[sheet.schema.get('amountBrl').slot] ?? NaN;
    const amountBrl = Number.isNaN(amount) ? null : amount;
    const current = {
      type: submission.type,
      cash: movesCash(submission.type),
      occurredAt: transaction.occurredAt.getTime(),
      direction: submission.direction.value,
      amountBrl,
      customer: packedKeyOf(transaction.customerKey),
      customerToo: packedKeyOf(otherKey),
      counterparty: packedKeyOf(transaction.counterpartyKey),
    };
    const { days } = this;
    const alone = setVelocityFacts(sheet, current, reading, { rates, days });
    if (sheet.schema.declared.length === 0) return alone;
    const { customer, device, ip, aggregates, details } = reading;
    const asIs = currentTransactionOf(transaction, otherKey, amountBrl, customFieldValues);
    const logs = { customer, device, ip, ...aggregates };
    const declaredAlone = setAggregateFacts(sheet, asIs, { logs, details, rates, days });
    return { customer: alone.customer || declaredAlone, device: alone.device };
  }
}

/** Adds SINGLE_CONTROL to a finding whose sums used an exchange rate that one person alone approved. */
const markSingleControl = (finding: ComponentFinding, byOnePerson: boolean): ComponentFinding =>
  byOnePerson ? { marks: ['SINGLE_CONTROL'], ...finding } : finding;

function velocityFindingOf({ customerKey, occurredAt }: DecryptedTransaction): ComponentFinding {
  const found = { source: 'kyt_transactions', asOf: occurredAt.toISOString() };
  return customerKey === null
    ? { state: 'MISSING_INPUT', reason: 'NO_CUSTOMER_KEY', ...found }
    : { state: 'NO_HIT', ...found };
}

function deviceFindingOf({ deviceKey, ipKey, occurredAt }: DecryptedTransaction): ComponentFinding {
  const found = { source: 'kyt_transactions', asOf: occurredAt.toISOString() };
  if (deviceKey !== null && ipKey !== null) return { state: 'NO_HIT', ...found };
  if (deviceKey === null && ipKey === null) {
    return { state: 'MISSING_INPUT', reason: 'NO_DEVICE_AND_NO_IP', ...found };
  }
  return { state: 'PARTIAL', reason: deviceKey === null ? 'NO_DEVICE' : 'NO_IP', ...found };
}
