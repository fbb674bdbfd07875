import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The velocity log: what the windows of the rules read, kept in the indexes that they read it from.
 *
 * `velocity_entry` packs what a window needs of a transaction into 28 bytes, so that every window is answered from an
 * index alone. It is generated: it cannot differ from the transaction. Layout, big-endian:
 * amount in ten-thousandths (8) | currency, three ASCII letters (3) | instrument (5 bits), direction (3 bits) |
 * first half of the counterparty key (8) | first half of the customer key (8); a missing key is zeros.
 * `src/kyt/domain/velocity-log.ts` reads it.
 *
 * The keys of an index end with (occurred_at, seq), the order of the windows, so that "as of" is an index condition.
 */
export class Velocity1763600000040 implements MigrationInterface {
  name = 'Velocity1763600000040';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error(
      'The velocity log belongs to the transactions table; it is not undone. Restore a backup.',
    );
  }
}

const NO_KEY = `'\\x0000000000000000'::bytea`;

// The numbers stand in `instruments` of velocity-log.ts. By prefix: the set of types is open.
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

const DIRECTION = `CASE direction WHEN 'IN' THEN 1 WHEN 'OUT' THEN 2 ELSE 0 END`;

// ascii() instead of convert_to(): a generated column takes immutable functions only.
const CURRENCY = `(ascii(currency) << 16) | (ascii(substr(currency, 2)) << 8) | ascii(substr(currency, 3))`;

const dimension = (name: string, key: string): string =>
  `CREATE INDEX kyt_velocity_${name} ON kyt_transactions (organisation_id, ${key}, occurred_at, seq)
     INCLUDE (velocity_entry) WHERE ${key} IS NOT NULL`;

const statements = [
  `ALTER TABLE kyt_transactions ADD COLUMN velocity_entry bytea NOT NULL GENERATED ALWAYS AS (
     int8send((amount * 10000)::bigint)
     || int4send(((${CURRENCY}) << 8) | ((${INSTRUMENT}) << 3) | (${DIRECTION}))
     || coalesce(substr(counterparty_key, 1, 8), ${NO_KEY})
     || coalesce(substr(customer_key, 1, 8), ${NO_KEY})) STORED`,
  `DROP INDEX kyt_transactions_customer`,
  dimension('customer', 'customer_key'),
  dimension('device', 'device_key'),
  dimension('ip', 'ip_key'),
  dimension('counterparty', 'counterparty_key'),
  // An index-only scan needs pages that vacuum has marked as visible to all; insert-only tables get there too late
  // with the default of a fifth of the table.
  `ALTER TABLE kyt_transactions SET (
     autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_vacuum_insert_threshold = 20000,
     autovacuum_analyze_scale_factor = 0.02)`,
];
