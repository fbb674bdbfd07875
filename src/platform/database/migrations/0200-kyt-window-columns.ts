import { SqlMigration } from './sql-migration.js';

const NO_KEY = `'\\x0000000000000000'::bytea`;

// As in `0019-kyt-sameness`.
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

const KEYS = ['device', 'ip', 'account', 'card'] as const;
const byte = (number: string): string => `set_byte('\\x00'::bytea, 0, ${number})`;
// Types, channels and countries are codes of capital letters, digits and underscores: one byte each, and no escapes.
const text = (column: string): string => `${byte(`length(${column})`)} || decode(${column}, 'escape')`;
const country = (column: string): string => `decode(rpad(coalesce(${column}, '??'), 2), 'escape')`;

/**
 * Keeps what windows may read of a transaction, all of it in the indexes that they are read from.
 *
 * - The countries of both sides, empty where none was named; null of what was stored before, where it is not known.
 * - `card_key`: the keyed hash of `metadata.cardId`.
 * - `velocity_entry` goes on after its 28 bytes: which of device, address, account and card there are (one bit each) |
 *   the first half of each of these keys | the countries of origin and destination (2 each; spaces: none, `??`: not
 *   known) | length (1) and text of the type | length (1) and text of the channel.
 *   `src/features/kyt/domain/facts/velocity-log.ts` reads it.
 * - Accounts and cards have a window index like the other keys. That of accounts takes the place of one by id.
 */
export class KytWindowColumns1764000000200 extends SqlMigration {
  override readonly name = 'KytWindowColumns1764000000200';
  protected override readonly statements = [
    // Dropping the column drops the indexes that include it. No row is updated, which triggers refuse: the table is rewritten.
    `ALTER TABLE kyt_transactions DROP COLUMN velocity_entry,
       ADD COLUMN origin_country text, ADD COLUMN destination_country text, ADD COLUMN card_key bytea`,
    `ALTER TABLE kyt_transactions ADD COLUMN velocity_entry bytea NOT NULL GENERATED ALWAYS AS (
       int8send((amount * 10000)::bigint)
       || int4send(((${CURRENCY}) << 8) | ((${INSTRUMENT}) << 3) | (${TRAITS}))
       || coalesce(substr(counterparty_key, 1, 8), ${NO_KEY})
       || coalesce(substr(customer_key, 1, 8), ${NO_KEY})
       || ${byte(KEYS.map((key, i) => `CASE WHEN ${key}_key IS NULL THEN 0 ELSE ${2 ** i} END`).join(' | '))}
       || ${KEYS.map((key) => `coalesce(substr(${key}_key, 1, 8), '')`).join(' || ')}
       || ${country('origin_country')} || ${country('destination_country')}
       || ${text('type')} || ${text('channel')}) STORED`,
    `DROP INDEX kyt_transactions_account`,
    ...['customer', 'device', 'ip', 'counterparty', 'account', 'card'].map(
      (dimension) => `CREATE INDEX kyt_velocity_${dimension} ON kyt_transactions
         (organisation_id, ${dimension}_key, occurred_at, seq) INCLUDE (velocity_entry) WHERE ${dimension}_key IS NOT NULL`,
    ),
  ];
}
