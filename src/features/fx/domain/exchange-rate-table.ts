/** One published rate: reais per unit of a currency, on a day. */
export interface DatedRate {
  readonly currency: string;
  /** Milliseconds since the epoch at which the day of the rate begins, America/Sao_Paulo. */
  readonly from: number;
  /** `YYYY-MM-DD`. */
  readonly date: string;
  readonly rate: number;
  readonly source: string;
  /** True if one person alone approved the rate. */
  readonly singleControl: boolean;
}

export type RateLookup =
  { readonly kind: 'FOUND'; readonly rate: DatedRate } | { readonly kind: 'MISSING' | 'STALE' };

const DAY_MS = 86_400_000;

/** The exchange rates of an organisation, for look-ups by currency and time. */
export class ExchangeRateTable {
  static readonly EMPTY = new ExchangeRateTable([], 0);

  /** By currency, the newest first. */
  private readonly byCurrency = new Map<string, DatedRate[]>();

  /** `maxAgeDays`: the age in days after which a rate is STALE. */
  constructor(
    rates: readonly DatedRate[],
    private readonly maxAgeDays: number,
  ) {
    for (const rate of rates) {
      const ratesOfCurrency = this.byCurrency.get(rate.currency);
      if (ratesOfCurrency) ratesOfCurrency.push(rate);
      else this.byCurrency.set(rate.currency, [rate]);
    }
    for (const ratesOfCurrency of this.byCurrency.values()) ratesOfCurrency.sort((a, b) => b.from - a.from);
  }

  /** Returns the newest rate whose day began at or before `at` (milliseconds since the epoch). */
  find(currency: string, at: number): RateLookup {
    const ratesOfCurrency = this.byCurrency.get(currency);
    const rate = ratesOfCurrency?.find((candidate) => candidate.from <= at);
    if (!rate) return { kind: 'MISSING' };
    return at - rate.from > (this.maxAgeDays + 1) * DAY_MS ? { kind: 'STALE' } : { kind: 'FOUND', rate };
  }

  /** Returns the amount in reais, rounded to cents; null if the rate is missing or stale. */
  toBrl(amount: number, currency: string, at: number): number | null {
    if (currency === 'BRL') return amount;
    const lookup = this.find(currency, at);
    return lookup.kind === 'FOUND' ? roundToCents(amount * lookup.rate.rate) : null;
  }
}

/** Rounds half up, on 15 significant digits: 1.005 becomes 1.01, though its double lies below. */
export const roundToCents = (value: number): number =>
  Math.round(Number((value * 100).toPrecision(15))) / 100;
