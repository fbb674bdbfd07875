import { Inject, Injectable } from '@nestjs/common';
import { roundToCents, ExchangeRatesService, ExchangeRateTable } from '../../fx/index.js';
import {
  exactNumberOf,
  type FactSheet,
  type FeatureName,
  type ComponentFinding,
  type ComponentFindings,
} from '../../rules/index.js';
import type { DecryptedTransaction } from '../domain/claimed.js';
import type { FactProvider } from '../domain/facts/evidence.js';

/** Sets the amount in reais and in dollars, at the newest rate not after the transaction. */
@Injectable()
export class FxFactProvider implements FactProvider {
  readonly components = ['FX'] as const;
  readonly sources = ['FX'] as const;

  constructor(
    @Inject(ExchangeRatesService) private readonly rates: Pick<ExchangeRatesService, 'readTables'>,
  ) {}

  async find(
    batch: readonly DecryptedTransaction[],
    sheets: readonly FactSheet[],
  ): Promise<readonly ComponentFindings[]> {
    const books = await this.rates.readTables(batch.map(({ organisationId }) => organisationId));
    return batch.map((transaction, i) => {
      const sheet = sheets[i];
      if (!sheet) throw new Error('sheets and batch differ in length');
      return {
        FX: convert(sheet, transaction, books.get(transaction.organisationId) ?? ExchangeRateTable.EMPTY),
      };
    });
  }
}

/** Sets both amounts and returns the finding of FX. Without a current rate an amount is unknown, never zero. */
function convert(
  sheet: FactSheet,
  { submission }: DecryptedTransaction,
  book: ExchangeRateTable,
): ComponentFinding {
  const { currency, occurredAt, type } = submission;
  const at = occurredAt.getTime();
  const amount = exactNumberOf(submission.amount);
  const rateLookup = currency === 'BRL' ? null : book.find(currency, at);
  const usd = currency === 'USD' ? rateLookup : book.find('USD', at);
  const amountBrl =
    rateLookup === null
      ? amount
      : rateLookup.kind === 'FOUND'
        ? roundToCents(amount * rateLookup.rate.rate)
        : null;
  if (amountBrl !== null) sheet.set('amountBrl', amountBrl);
  else setUnknown(sheet, 'amountBrl', rateLookup?.kind === 'STALE');
  if (currency === 'USD') sheet.set('amountUsd', amount);
  else if (amountBrl !== null && usd?.kind === 'FOUND') {
    sheet.set('amountUsd', roundToCents(amountBrl / usd.rate.rate));
  } else setUnknown(sheet, 'amountUsd', usd?.kind === 'STALE' || rateLookup?.kind === 'STALE');
  // Reais within Brazil need no rate, but FX and crypto transactions also have limits in dollars.
  const needed = rateLookup ?? (/^(FX|CRYPTO)_/.test(type) ? usd : null);
  if (needed === null) {
    return { state: 'NO_HIT', source: 'submission', asOf: occurredAt.toISOString() };
  }
  if (needed.kind !== 'FOUND') {
    return needed.kind === 'STALE'
      ? { state: 'STALE_SOURCE', source: 'fx_rates', asOf: occurredAt.toISOString(), reason: 'FX_RATE_STALE' }
      : {
          state: 'MISSING_INPUT',
          source: 'fx_rates',
          asOf: occurredAt.toISOString(),
          reason: 'FX_RATE_MISSING',
        };
  }
  const { source, from } = needed.rate;
  const isAlone = [rateLookup, needed, usd].some((one) => one?.kind === 'FOUND' && one.rate.singleControl);
  const finding: ComponentFinding = {
    state: 'NO_HIT',
    source: `${source} ${needed.rate.currency} ${needed.rate.date} ${needed.rate.rate}`,
    asOf: new Date(from).toISOString(),
  };
  return isAlone ? { marks: ['SINGLE_CONTROL'], ...finding } : finding;
}

const setUnknown = (sheet: FactSheet, name: FeatureName, isStale: boolean): FactSheet =>
  isStale
    ? sheet.setUnknown(name, 'STALE', 'FX_RATE_STALE')
    : sheet.setUnknown(name, 'MISSING', 'FX_RATE_MISSING');
