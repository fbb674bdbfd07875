import { Injectable } from '@nestjs/common';
import { AuditTrail, formatActor, auditDraftOf, type ActorContext } from '../audit/index.js';
import { Settings } from '../../platform/config/index.js';
import {
  afterCommit,
  execute,
  sqlArray,
  UnitOfWork,
  type Rows,
  type Tx,
} from '../../platform/database/index.js';
import { Clock, newUuid } from '../../platform/kernel/index.js';
import { LocalDays } from '../../platform/kernel/values/local-day.js';
import { ExchangeRateTable, type DatedRate } from './domain/exchange-rate-table.js';
import { validateRates, hashOfRates, type ImportedRate, type RateList } from './domain/rate-list.js';
import { FxImportEntity } from './store/entities.js';
import { FIND_RATES_TO_LOAD, INSERT_RATES, FIND_NEWEST_RATES } from './store/rate.statements.js';

export interface RateImport extends Omit<ActorContext, 'organisationId'> {
  readonly source: string;
  readonly rates: readonly ImportedRate[];
}

export interface RateImportResult {
  readonly id: string;
  readonly rateCount: number;
  readonly importedAt: Date;
}

export type NewestRate = Rows<typeof FIND_NEWEST_RATES>;

interface CachedRates {
  readonly book: ExchangeRateTable;
  readonly loadedAt: number;
}

// Cache time of rates, and so the maximum delay until an import by another process takes effect.
const FRESH_MS = 2_000;
/** The exchange rates of organisations, in reais per unit. */
@Injectable()
export class ExchangeRatesService {
  private readonly cachedByOrganisation = new Map<string, CachedRates>();
  private readonly days = new LocalDays();

  constructor(
    private readonly uow: UnitOfWork,
    private readonly audit: AuditTrail,
    private readonly clock: Clock,
    private readonly settings: Settings,
  ) {}

  /** Returns the rates of each organisation, at most `FRESH_MS` old. */
  async readTables(organisationIds: Iterable<string>): Promise<ReadonlyMap<string, ExchangeRateTable>> {
    const distinctIds = [...new Set(organisationIds)];
    const stale = distinctIds.filter((id) => {
      const cached = this.cachedByOrganisation.get(id);
      return !cached || performance.now() - cached.loadedAt > FRESH_MS;
    });
    if (stale.length > 0) await this.load(stale);
    return new Map(
      distinctIds.map((id) => [id, this.cachedByOrganisation.get(id)?.book ?? ExchangeRateTable.EMPTY]),
    );
  }

  /** Stores rates for the command line, without an approval. */
  async import(organisationId: string, { source, rates, ...by }: RateImport): Promise<RateImportResult> {
    const content = { source, rates: validateRates(rates) };
    return this.uow.run(organisationId, (tx) =>
      this.importIn(tx, { ...by, organisationId }, newUuid(), content, {
        importedBy: formatActor({ ...by, organisationId }),
        singleControl: false,
      }),
    );
  }

  /** Stores rates. A new rate supersedes an earlier rate of the same day and currency, which stays stored. */
  async importIn(
    tx: Tx,
    ctx: ActorContext,
    id: string,
    content: RateList,
    { importedBy, singleControl }: Pick<FxImportEntity, 'importedBy' | 'singleControl'>,
  ): Promise<RateImportResult> {
    const { organisationId } = ctx;
    const { source, rates } = content;
    const rateCount = rates.length;
    const importedAt = new Date(this.clock.now());
    const contentHash = hashOfRates(content);
    const [entry] = await this.audit.record(
      tx,
      auditDraftOf(ctx, 'fx_import', id, 'fx.rates_imported', importedAt, {
        source,
        rateCount,
        contentHash: contentHash.toString('hex'),
        ...(singleControl && { singleControl }),
      }),
    );
    if (!entry) throw new Error('the audit entry of an import was not written');
    await tx.insert(FxImportEntity, {
      ...{ id, organisationId, source, rateCount, contentHash, importedBy, importedAt },
      singleControl,
      trailHash: entry.hash,
    });
    await execute(tx, INSERT_RATES, [
      organisationId,
      id,
      sqlArray.plain(rates.map((rate) => rate.currency)),
      sqlArray.plain(rates.map((rate) => rate.date)),
      sqlArray.plain(rates.map((rate) => rate.rate)),
    ]);
    afterCommit(tx, () => this.cachedByOrganisation.delete(organisationId));
    return { id, rateCount, importedAt };
  }

  /** Returns the newest rate of every currency. */
  listNewestRates(organisationId: string): Promise<NewestRate[]> {
    return this.uow.rows(organisationId, FIND_NEWEST_RATES, [organisationId]);
  }

  private async load(organisationIds: readonly string[]): Promise<void> {
    const loadedAt = performance.now();
    const rows = await this.uow.rows(organisationIds, FIND_RATES_TO_LOAD, [sqlArray.plain(organisationIds)]);
    const rates = new Map<string, DatedRate[]>(organisationIds.map((id) => [id, []]));
    for (const row of rows) rates.get(row.organisation_id)?.push(this.toDatedRate(row));
    for (const [id, own] of rates) {
      this.cachedByOrganisation.set(id, {
        book: new ExchangeRateTable(own, this.settings.fxMaxAgeDays),
        loadedAt,
      });
    }
  }

  private toDatedRate({
    currency,
    date,
    rate,
    source,
    singleControl,
  }: Rows<typeof FIND_RATES_TO_LOAD>): DatedRate {
    const [year = 0, month = 0, day = 0] = date.split('-').map(Number);
    return { currency, date, rate, source, singleControl, from: this.days.startOf({ year, month, day }) };
  }
}
