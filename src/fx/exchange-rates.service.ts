import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { AuditTrail, type Actor } from '../audit/index.js';
import { Settings } from '../config/index.js';
import { afterCommit, execute, sqlArray, UnitOfWork } from '../database/index.js';
import { canonicalJson } from '../kernel/canonical-json.js';
import { Clock, newUuid } from '../kernel/index.js';
import { LocalDays } from '../kernel/local-day.js';
import { RateBook, type DatedRate } from './domain/rate-book.js';
import { checkedRates, type ImportedRate } from './domain/rate-list.js';

export interface RateImport {
  readonly source: string;
  readonly rates: readonly ImportedRate[];
  readonly actor: Actor;
  readonly requestId: string | null;
  readonly correlationId: string | null;
}

export interface RateImported {
  readonly id: string;
  readonly rateCount: number;
  readonly importedAt: Date;
}

/** The newest rate of a currency. */
export interface NewestRate {
  readonly currency: string;
  readonly date: string;
  readonly rate: string;
  readonly source: string;
  readonly importedAt: Date;
}

interface Held {
  readonly book: RateBook;
  readonly loadedAt: number;
}

// What another process imports is used here so soon.
const FRESH_MS = 2_000;
// Late submissions (45 days) with a window of 90 days, and some more.
const KEPT_DAYS = 200;

/** The exchange rates of organisations, in reais per unit. */
@Injectable()
export class ExchangeRates {
  private readonly held = new Map<string, Held>();
  private readonly days = new LocalDays();

  constructor(
    private readonly uow: UnitOfWork,
    private readonly audit: AuditTrail,
    private readonly clock: Clock,
    private readonly settings: Settings,
  ) {}

  /** The rates of each organisation as they are known now. */
  async books(organisationIds: Iterable<string>): Promise<ReadonlyMap<string, RateBook>> {
    const wanted = [...new Set(organisationIds)];
    const stale = wanted.filter((id) => {
      const held = this.held.get(id);
      return !held || performance.now() - held.loadedAt > FRESH_MS;
    });
    if (stale.length > 0) await this.load(stale);
    return new Map(wanted.map((id) => [id, this.held.get(id)?.book ?? RateBook.EMPTY]));
  }

  /** Stores rates; a rate that was there for the same day stays, and the new one counts from now on. */
  async import(organisationId: string, { source, rates, ...by }: RateImport): Promise<RateImported> {
    const checked = checkedRates(rates);
    const id = newUuid();
    const importedAt = new Date(this.clock.now());
    const contentHash = createHash('sha256')
      .update(canonicalJson({ source, rates: checked }))
      .digest();
    await this.uow.run(organisationId, async (tx) => {
      const [entry] = await this.audit.record(tx, [
        {
          subject: { organisationId, type: 'fx_import', id },
          action: 'fx.rates_imported',
          actor: by.actor,
          requestId: by.requestId,
          correlationId: by.correlationId,
          occurredAt: importedAt,
          content: { source, rateCount: checked.length, contentHash: contentHash.toString('hex') },
        },
      ]);
      if (!entry) throw new Error('the audit entry of an import was not written');
      await execute(tx, INSERT_IMPORT, [
        id,
        organisationId,
        source,
        checked.length,
        contentHash,
        `${by.actor.type}:${by.actor.id}`,
        importedAt,
        entry.hash,
      ]);
      await execute(tx, INSERT_RATES, [
        organisationId,
        id,
        sqlArray.plain(checked.map((rate) => rate.currency)),
        sqlArray.plain(checked.map((rate) => rate.date)),
        sqlArray.plain(checked.map((rate) => rate.rate)),
      ]);
      afterCommit(tx, () => this.held.delete(organisationId));
    });
    return { id, rateCount: checked.length, importedAt };
  }

  /** The newest rate of every currency. */
  newest(organisationId: string): Promise<NewestRate[]> {
    return this.uow.read(organisationId, (db) =>
      db.query(
        `SELECT DISTINCT ON (r.currency) r.currency, r.rate_date::text AS date, trim_scale(r.rate)::text AS rate,
                i.source, i.imported_at AS "importedAt"
         FROM fx_rates r JOIN fx_imports i ON i.id = r.import_id
         WHERE r.organisation_id = $1 ORDER BY r.currency, r.rate_date DESC, i.imported_at DESC, i.id DESC`,
        [organisationId],
      ),
    );
  }

  private async load(organisationIds: readonly string[]): Promise<void> {
    const loadedAt = performance.now();
    const rows: RateRow[] = await this.uow.read(organisationIds, (db) =>
      db.query(
        `SELECT DISTINCT ON (r.organisation_id, r.rate_date, r.currency)
                r.organisation_id, r.currency, r.rate_date::text AS rate_date, r.rate::float8 AS rate, i.source
         FROM fx_rates r JOIN fx_imports i ON i.id = r.import_id
         WHERE r.organisation_id = ANY($1::uuid[]) AND r.rate_date > now()::date - ${KEPT_DAYS}
         ORDER BY r.organisation_id, r.rate_date, r.currency, i.imported_at DESC, i.id DESC`,
        [sqlArray.plain(organisationIds)],
      ),
    );
    const rates = new Map<string, DatedRate[]>(organisationIds.map((id) => [id, []]));
    for (const row of rows) rates.get(row.organisation_id)?.push(this.dated(row));
    for (const [id, own] of rates) {
      this.held.set(id, { book: new RateBook(own, this.settings.fxMaxAgeDays), loadedAt });
    }
  }

  private dated({ currency, rate_date: date, rate, source }: RateRow): DatedRate {
    const [year = 0, month = 0, day = 0] = date.split('-').map(Number);
    return { currency, date, rate, source, from: this.days.startOf({ year, month, day }) };
  }
}

interface RateRow {
  readonly organisation_id: string;
  readonly currency: string;
  readonly rate_date: string;
  readonly rate: number;
  readonly source: string;
}

const INSERT_IMPORT = {
  text: `INSERT INTO fx_imports (id, organisation_id, source, rate_count, content_hash, imported_by, imported_at, trail_hash)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
};

const INSERT_RATES = {
  text: `INSERT INTO fx_rates (organisation_id, import_id, currency, rate_date, rate)
         SELECT $1, $2, s.* FROM unnest($3::text[], $4::date[], $5::numeric[]) AS s (currency, rate_date, rate)`,
};
