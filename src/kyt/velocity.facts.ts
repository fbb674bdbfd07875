import { Inject, Injectable } from '@nestjs/common';
import { ExchangeRates, RateBook } from '../fx/index.js';
import { LocalDays } from '../kernel/local-day.js';
import type { FactSheet, Finding, Findings } from '../rules/index.js';
import type { OpenTransaction } from './domain/claimed.js';
import type { FactProvider } from './domain/evidence.js';
import { deviceRegisteredOf } from './domain/transaction-facts.js';
import { setVelocityFacts, type VelocityReading } from './domain/velocity-facts.js';
import { keyOf } from './domain/velocity-log.js';
import type { SimulatedHistory } from './simulated-history.js';
import { VelocityReader } from './velocity-reader.js';

/** What the customer, the device and the address did before: asked of the transactions table, which keeps no counters. */
@Injectable()
export class VelocityFacts implements FactProvider {
  readonly components = ['VELOCITY', 'DEVICE_IP'] as const;
  readonly sources = ['VELOCITY'] as const;
  private readonly days = new LocalDays();

  constructor(
    @Inject(VelocityReader) private readonly reader: Pick<VelocityReader, 'read'> | SimulatedHistory,
    @Inject(ExchangeRates) private readonly rates: Pick<ExchangeRates, 'books'>,
  ) {}

  async find(batch: readonly OpenTransaction[], sheets: readonly FactSheet[]): Promise<readonly Findings[]> {
    const books = await this.rates.books(batch.map(({ organisationId }) => organisationId));
    const readings = await this.reader.read(batch);
    return batch.map((transaction, i) => {
      const [sheet, reading] = [sheets[i], readings[i]];
      if (!sheet || !reading) throw new Error('readings and batch differ in length');
      const rates = books.get(transaction.organisationId) ?? RateBook.EMPTY;
      this.setFacts(sheet, transaction, reading, rates);
      return { VELOCITY: velocityOf(transaction), DEVICE_IP: deviceOf(transaction) };
    });
  }

  private setFacts(
    sheet: FactSheet,
    transaction: OpenTransaction,
    reading: VelocityReading,
    rates: RateBook,
  ): void {
    const { submission } = transaction;
    const amountBrl = sheet.numbers[sheet.schema.get('amountBrl').slot] ?? NaN;
    const current = {
      type: submission.type,
      occurredAt: transaction.occurredAt.getTime(),
      direction: submission.direction.value,
      amountBrl: Number.isNaN(amountBrl) ? null : amountBrl,
      customer: keyOf(transaction.customerKey),
      counterparty: keyOf(transaction.counterpartyKey),
      deviceRegistered: deviceRegisteredOf(submission),
    };
    setVelocityFacts(sheet, current, reading, { rates, days: this.days });
  }
}

function velocityOf({ customerKey, occurredAt }: OpenTransaction): Finding {
  const found = { source: 'kyt_transactions', asOf: occurredAt.toISOString() };
  return customerKey === null
    ? { state: 'MISSING_INPUT', reason: 'NO_CUSTOMER_KEY', ...found }
    : { state: 'NO_HIT', ...found };
}

function deviceOf({ deviceKey, ipKey, occurredAt }: OpenTransaction): Finding {
  const found = { source: 'kyt_transactions', asOf: occurredAt.toISOString() };
  if (deviceKey !== null && ipKey !== null) return { state: 'NO_HIT', ...found };
  if (deviceKey === null && ipKey === null) {
    return { state: 'MISSING_INPUT', reason: 'NO_DEVICE_AND_NO_IP', ...found };
  }
  return { state: 'PARTIAL', reason: deviceKey === null ? 'NO_DEVICE' : 'NO_IP', ...found };
}
