import { Inject, Injectable } from '@nestjs/common';
import { ExchangeRates, RateBook } from '../../fx/index.js';
import { LocalDays } from '../../kernel/values/local-day.js';
import type { FactSheet, Finding, Findings } from '../../rules/index.js';
import type { OpenTransaction } from '../domain/claimed.js';
import { NO_PARTIES, type FactProvider, type FoundParties } from '../domain/facts/evidence.js';
import { deviceRegisteredOf } from '../domain/facts/transaction-facts.js';
import { setVelocityFacts, type VelocityReading } from '../domain/facts/velocity-facts.js';
import { keyOf } from '../domain/facts/velocity-log.js';
import type { SimulatedHistory } from '../replay/simulated-history.js';
import { movesCash } from '../domain/submission/transaction-types.js';
import { VelocityReader } from './velocity-reader.js';

/**
 * Sets the facts about earlier transactions of the customer, the device and the address, from the transactions table:
 * there are no counters.
 */
@Injectable()
export class VelocityFactProvider implements FactProvider {
  readonly components = ['VELOCITY', 'DEVICE_IP'] as const;
  readonly sources = ['VELOCITY'] as const;
  private readonly days = new LocalDays();

  constructor(
    @Inject(VelocityReader) private readonly reader: Pick<VelocityReader, 'read'> | SimulatedHistory,
    @Inject(ExchangeRates) private readonly rates: Pick<ExchangeRates, 'books'>,
  ) {}

  async find(
    batch: readonly OpenTransaction[],
    sheets: readonly FactSheet[],
    parties: FoundParties[],
  ): Promise<readonly Findings[]> {
    const otherKeys = batch.map((transaction, i) => otherKeyOf(transaction, parties[i] ?? NO_PARTIES));
    const books = await this.rates.books(batch.map(({ organisationId }) => organisationId));
    const readings = await this.reader.read(batch, otherKeys);
    return batch.map((transaction, i) => {
      const [sheet, reading] = [sheets[i], readings[i]];
      if (!sheet || !reading) throw new Error('readings and batch differ in length');
      const rates = books.get(transaction.organisationId) ?? RateBook.EMPTY;
      this.setFacts(sheet, transaction, otherKeys[i] ?? null, reading, rates);
      const found = parties[i] ?? NO_PARTIES;
      // eslint-disable-next-line no-restricted-syntax -- replaces a member, adds none
      if (reading.cameLate) parties[i] = { ...found, cameLate: true };
      return { VELOCITY: velocityOf(transaction), DEVICE_IP: deviceOf(transaction) };
    });
  }

  private setFacts(
    sheet: FactSheet,
    transaction: OpenTransaction,
    otherKey: Buffer | null,
    reading: VelocityReading,
    rates: RateBook,
  ): void {
    const { submission } = transaction;
    const amountBrl = sheet.numbers[sheet.schema.get('amountBrl').slot] ?? NaN;
    const current = {
      type: submission.type,
      cash: movesCash(submission.type),
      occurredAt: transaction.occurredAt.getTime(),
      direction: submission.direction.value,
      amountBrl: Number.isNaN(amountBrl) ? null : amountBrl,
      customer: keyOf(transaction.customerKey),
      customerToo: keyOf(otherKey),
      counterparty: keyOf(transaction.counterpartyKey),
      deviceRegistered: deviceRegisteredOf(submission),
    };
    setVelocityFacts(sheet, current, reading, { rates, days: this.days });
  }
}

/**
 * The other key under which transactions of the customer may stand: beside the document that of the institution's id, for
 * those that came without the document; beside the id that of the document which the customer's record has.
 */
function otherKeyOf(
  { customerKey, externalKey }: OpenTransaction,
  { subjectIndex }: FoundParties,
): Buffer | null {
  if (!customerKey || !externalKey) return null;
  if (!externalKey.equals(customerKey)) return externalKey;
  return subjectIndex?.equals(customerKey) === false ? subjectIndex : null;
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
