import { columns, properties, statement } from '../../../platform/database/index.js';
import { FxImportEntity, FxRateEntity } from './entities.js';

// Maximum age of loaded rates, in days: late submissions (45 days), a window of 90 days, and a margin.
const KEPT_DAYS = 200;

export const INSERT_RATES = statement(
  'fx.insert-rates',
  `INSERT INTO fx_rates (organisation_id, import_id, currency, rate_date, rate)
   SELECT $1, $2, s.* FROM unnest($3::text[], $4::date[], $5::numeric[]) AS s (currency, rate_date, rate)`,
);

/** One row per currency: its newest day, and of several imports of that day the newest. */
export const FIND_NEWEST_RATES = statement(
  'fx.newest',
  `SELECT DISTINCT ON (r.currency) r.currency, r.rate_date::text AS date, trim_scale(r.rate)::text AS rate,
          i.source, i.imported_at AS "importedAt"
   FROM fx_rates r JOIN fx_imports i ON i.id = r.import_id
   WHERE r.organisation_id = $1 ORDER BY r.currency, r.rate_date DESC, i.imported_at DESC, i.id DESC`,
  {
    ...properties(FxRateEntity, 'currency'),
    ...properties(FxImportEntity, 'source', 'importedAt'),
    date: 'text',
    rate: 'text',
  },
);

/** The current rates of the days of an import, which it would supersede. */
export const FIND_VALID_RATES = statement(
  'fx.standing',
  `SELECT DISTINCT ON (r.rate_date, r.currency) r.currency, r.rate_date::text AS date, trim_scale(r.rate)::text AS rate
   FROM unnest($2::text[], $3::date[]) AS w (currency, rate_date)
   JOIN fx_rates r ON r.organisation_id = $1 AND r.currency = w.currency AND r.rate_date = w.rate_date
   JOIN fx_imports i ON i.id = r.import_id AND i.organisation_id = r.organisation_id
   ORDER BY r.rate_date, r.currency, i.imported_at DESC, i.id DESC`,
  { ...properties(FxRateEntity, 'currency'), date: 'text', rate: 'text' },
);

/** The current rates of organisations: the last import of each day and currency. */
export const FIND_RATES_TO_LOAD = statement(
  'fx.counting',
  `SELECT DISTINCT ON (r.organisation_id, r.rate_date, r.currency)
          r.organisation_id, r.currency, r.rate_date::text AS date, r.rate::float8 AS rate, i.source,
          i.single_control AS "singleControl"
   FROM fx_rates r JOIN fx_imports i ON i.id = r.import_id
   WHERE r.organisation_id = ANY($1::uuid[]) AND r.rate_date > now()::date - ${KEPT_DAYS}
   ORDER BY r.organisation_id, r.rate_date, r.currency, i.imported_at DESC, i.id DESC`,
  {
    ...columns(FxRateEntity, 'organisationId', 'currency'),
    ...properties(FxImportEntity, 'source', 'singleControl'),
    date: 'text',
    rate: 'float8',
  },
);
