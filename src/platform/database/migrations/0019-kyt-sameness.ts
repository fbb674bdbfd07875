import { SqlMigration } from './sql-migration.js';

const NO_KEY = `'\\x0000000000000000'::bytea`;

// As in `0014-kyt`.
const INSTRUMENT = `CASE
    WHEN starts_with(type, 'PIX_') THEN 1
    WHEN type = 'TED_TRANSFER' THEN 2
    WHEN type = 'INTERNAL_TRANSFER' THEN 3
    WHEN type = 'BOLETO_PAYMENT' THEN 4
    WHEN type = 'CARD_PURCHASE' THEN 5
    WHEN starts_with(type, 'CARD_') THEN 6
    WHEN starts_with(type, 'CASH_') THEN 7
    WHEN starts_with(type, 'ACCOUNT_') THEN 8
    WHEN starts_with(type, 'LOAN_') THEN 9
    WHEN starts_with(type, 'FX_') THEN 10
    WHEN starts_with(type, 'CRYPTO_') THEN 11
    WHEN starts_with(type, 'BET_') THEN 12
    ELSE 0 END`;

const TRAITS = `CASE WHEN cash THEN 4 ELSE 0 END | CASE direction WHEN 'IN' THEN 1 WHEN 'OUT' THEN 2 ELSE 0 END`;

const CURRENCY = `(ascii(currency) << 16) | (ascii(substr(currency, 2)) << 8) | ascii(substr(currency, 3))`;

/**
 * Sameness of customers and of cash.
 *
 * - `customer_key` is the key of the document where a transaction names one, from now on, and `external_key` that of the
 *   institution's id. What was stored before is found by the id.
 * - `cash` says whether banknotes change hands, as the catalogue of types says when the transaction comes. Those that are
 *   there get it by the names that the catalogue had. The velocity log has it as the third bit of the direction.
 */
export class KytSameness1764000000019 extends SqlMigration {
  override readonly name = 'KytSameness1764000000019';
  protected override readonly statements = [
    `DROP INDEX kyt_transactions_cash`,
    // Dropping the column drops the indexes that include it. No row is updated, which triggers refuse: the tables are rewritten.
    `ALTER TABLE kyt_transactions DROP COLUMN velocity_entry, ADD COLUMN external_key bytea,
       ADD COLUMN cash boolean NOT NULL GENERATED ALWAYS AS (
         starts_with(type, 'CASH_') OR type IN ('PIX_WITHDRAWAL', 'CARD_WITHDRAWAL')) STORED`,
    `ALTER TABLE kyt_transactions ALTER COLUMN cash DROP EXPRESSION`,
    `ALTER TABLE kyt_transactions ADD COLUMN velocity_entry bytea NOT NULL GENERATED ALWAYS AS (
       int8send((amount * 10000)::bigint)
       || int4send(((${CURRENCY}) << 8) | ((${INSTRUMENT}) << 3) | (${TRAITS}))
       || coalesce(substr(counterparty_key, 1, 8), ${NO_KEY})
       || coalesce(substr(customer_key, 1, 8), ${NO_KEY})) STORED`,
    ...['customer', 'device', 'ip', 'counterparty'].map(
      (dimension) => `CREATE INDEX kyt_velocity_${dimension} ON kyt_transactions
         (organisation_id, ${dimension}_key, occurred_at, seq) INCLUDE (velocity_entry) WHERE ${dimension}_key IS NOT NULL`,
    ),
    // The reconciler of communications looks through it: a handful of rows among millions.
    `CREATE INDEX kyt_transactions_cash ON kyt_transactions (id) WHERE cash AND amount >= 50000`,
  ];
}
