import { protect } from './protect.js';
import { appendOnly } from './triggers.js';
import { SqlMigration } from './sql-migration.js';

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

const TRAITS = `CASE WHEN cash THEN 4 ELSE 0 END | CASE direction WHEN 'IN' THEN 1 WHEN 'OUT' THEN 2 ELSE 0 END`;

// ascii() instead of convert_to(): a generated column takes immutable functions only.
const CURRENCY = `(ascii(currency) << 16) | (ascii(substr(currency, 2)) << 8) | ascii(substr(currency, 3))`;

const KEYS = ['device', 'ip', 'account', 'card'] as const;
const byte = (number: string): string => `set_byte('\\x00'::bytea, 0, ${number})`;
// Types, channels and countries are codes of capital letters, digits and underscores: one byte each, and no escapes.
const text = (column: string): string => `${byte(`length(${column})`)} || decode(${column}, 'escape')`;
const country = (column: string): string => `decode(rpad(coalesce(${column}, '??'), 2), 'escape')`;

/**
 * Transactions, their evaluations, and where they stand.
 *
 * - Wide rows are insert-only; what moves is in the narrow rows of `kyt_work`.
 * - The velocity log answers every window of the rules from an index alone. `velocity_entry` packs what a window needs of a
 *   transaction; it is generated, so it cannot differ from the transaction. Layout, big-endian:
 *   amount in ten-thousandths (8) | currency, three ASCII letters (3) | instrument (5 bits), cash (1 bit), direction (2 bits) |
 *   first half of the counterparty key (8) | first half of the customer key (8); a missing key is zeros |
 *   which of device, address, account and card there are (one bit each) | the first half of each of these keys |
 *   the countries of origin and destination (2 each; spaces: none, `??`: not known) | length (1) and text of the type |
 *   length (1) and text of the channel.
 *   `src/features/kyt/domain/facts/velocity-log.ts` reads it. The keys of its indexes end with (occurred_at, seq), the order
 *   of the windows, so that "as of" is an index condition.
 * - `customer_key` is the key of the document where a transaction names one, and `external_key` that of the institution's id;
 *   `card_key` is the keyed hash of `metadata.cardId`. The countries of both sides are empty where none was named.
 * - `kyt_house_values`: values of fields of the house that windows may read or be by, one row for each such field of a
 *   transaction that has it. `value` is JSON, and null where the field is personal: that one is in the sealed body alone. `key`
 *   is the keyed hash of field and value, where windows may be by it. `velocity_entry` is that of the transaction, so that
 *   windows by a field are read from one index like all others.
 * - An evaluation stores the facts that it read small and apart from the receipt, which holds their hash: a back-test reads a
 *   million of them and no receipt. A machine rejects nothing: that is a decision of people, which stands in `kyt_decisions`.
 * - `kyt_standings`: transactions whose newest evaluation is not simply an approval, with where they stand now, for the lists
 *   of operators without an index over each of millions of rows. Triggers keep it, so that nothing that is written can be
 *   missed; for most transactions they do nothing.
 */
export class Kyt1765000000022 extends SqlMigration {
  protected override readonly statements = [
    // cash: whether banknotes change hands, as the catalogue of types says when the transaction comes. received_span: in an index
    // by type or application the rows of one span have the same key, and take six bytes each.
    // An index-only scan needs pages that vacuum has marked as visible to all; insert-only tables get there too late with the
    // default of a fifth of the table.
    `CREATE TABLE kyt_transactions (
       id uuid PRIMARY KEY,
       seq bigint GENERATED ALWAYS AS IDENTITY,
       organisation_id uuid NOT NULL,
       client_app_id uuid NOT NULL,
       transaction_id text NOT NULL,
       source text NOT NULL CHECK (source IN ('INGEST', 'LEGACY')),
       type text NOT NULL,
       channel text NOT NULL,
       amount numeric NOT NULL CHECK (amount > 0),
       currency text NOT NULL,
       direction text CHECK (direction IN ('IN', 'OUT')),
       direction_source text NOT NULL,
       occurred_at timestamptz NOT NULL,
       received_at timestamptz NOT NULL DEFAULT clock_timestamp(),
       fingerprint bytea NOT NULL,
       document_key bytea,
       customer_key bytea,
       account_key bytea,
       device_key bytea,
       ip_key bytea,
       counterparty_key bytea,
       sealed_body bytea NOT NULL,
       warnings text[],
       request_id text NOT NULL,
       correlation_id text NOT NULL,
       traceparent text,
       trail_hash bytea NOT NULL,
       external_key bytea,
       cash boolean NOT NULL,
       received_span integer NOT NULL GENERATED ALWAYS AS (('x' || left(id::text, 8))::bit(32)::integer) STORED,
       origin_country text,
       destination_country text,
       card_key bytea,
       velocity_entry bytea NOT NULL GENERATED ALWAYS AS (
         int8send((amount * 10000)::bigint)
         || int4send(((${CURRENCY}) << 8) | ((${INSTRUMENT}) << 3) | (${TRAITS}))
         || coalesce(substr(counterparty_key, 1, 8), ${NO_KEY})
         || coalesce(substr(customer_key, 1, 8), ${NO_KEY})
         || ${byte(KEYS.map((key, i) => `CASE WHEN ${key}_key IS NULL THEN 0 ELSE ${2 ** i} END`).join(' | '))}
         || ${KEYS.map((key) => `coalesce(substr(${key}_key, 1, 8), '')`).join(' || ')}
         || ${country('origin_country')} || ${country('destination_country')}
         || ${text('type')} || ${text('channel')}) STORED,
       CONSTRAINT kyt_transactions_once UNIQUE (client_app_id, transaction_id)
     ) WITH (
       autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_vacuum_insert_threshold = 20000,
       autovacuum_analyze_scale_factor = 0.02)`,
    // The cipher text does not compress.
    `ALTER TABLE kyt_transactions ALTER COLUMN sealed_body SET STORAGE EXTERNAL`,
    ...['customer', 'device', 'ip', 'counterparty', 'account', 'card'].map(
      (dimension) => `CREATE INDEX kyt_velocity_${dimension} ON kyt_transactions
         (organisation_id, ${dimension}_key, occurred_at, seq) INCLUDE (velocity_entry) WHERE ${dimension}_key IS NOT NULL`,
    ),
    // The reconciler of communications looks through it: a handful of rows among millions.
    `CREATE INDEX kyt_transactions_cash ON kyt_transactions (id) WHERE cash AND amount >= 50000`,
    // The indexes of lists begin with what is asked for, not with the organisation. Of a table that has no statistics yet the
    // planner takes the organisation alone for as good as the organisation and a customer, and so the windows of every
    // transaction read all transactions of their organisation during the first minute of a database.
    `CREATE INDEX kyt_transactions_type ON kyt_transactions (type, organisation_id, received_span)`,
    `CREATE INDEX kyt_transactions_app ON kyt_transactions (client_app_id, organisation_id, received_span)`,
    // The institution's id of a customer is only asked for as a whole: a hash index is a quarter of a tree.
    `CREATE INDEX kyt_transactions_external ON kyt_transactions USING hash (external_key)`,
    `CREATE TABLE kyt_house_values (
       organisation_id uuid NOT NULL,
       seq bigint NOT NULL,
       field integer NOT NULL CHECK (field > 0),
       transaction_ref uuid NOT NULL,
       occurred_at timestamptz NOT NULL,
       value text,
       key bytea,
       velocity_entry bytea NOT NULL,
       PRIMARY KEY (organisation_id, seq, field) INCLUDE (value)
     ) WITH (
       autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_vacuum_insert_threshold = 20000,
       autovacuum_analyze_scale_factor = 0.02)`,
    `CREATE INDEX kyt_velocity_house ON kyt_house_values
       (organisation_id, key, occurred_at, seq) INCLUDE (velocity_entry) WHERE key IS NOT NULL`,
    // brief: null for evaluations that are no history for a back-test. Two rows of up to 4,080 bytes fit into a page; only a
    // larger row is compressed, and moved to TOAST when that is not enough. Making a receipt of 2.5 KB half as large costs
    // 30 us; a TOAST row is a second insert with an index of its own.
    `CREATE TABLE kyt_evaluations (
       transaction_ref uuid NOT NULL,
       evaluation_version integer NOT NULL CHECK (evaluation_version > 0),
       organisation_id uuid NOT NULL,
       outcome text NOT NULL,
       recommended_action text NOT NULL CHECK (recommended_action IN ('NONE', 'STEP_UP', 'HOLD', 'DECLINE')),
       risk_score integer CHECK (risk_score BETWEEN 0 AND 100),
       risk_level text CHECK (risk_level IN ('LOW', 'MEDIUM', 'HIGH', 'CRITICAL')),
       composition text NOT NULL CHECK (composition IN ('COMPLETE', 'PARTIAL', 'MISSING', 'INCONSISTENT')),
       defensible boolean NOT NULL,
       ruleset_id uuid,
       receipt bytea NOT NULL,
       receipt_hash bytea NOT NULL,
       trail_hash bytea NOT NULL,
       evaluated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
       facts bytea,
       brief text,
       PRIMARY KEY (transaction_ref, evaluation_version),
       CONSTRAINT kyt_evaluations_verdict CHECK (
         (outcome, recommended_action) IN
           (('APPROVED', 'NONE'), ('CHALLENGED', 'STEP_UP'), ('REVIEW', 'HOLD'), ('REVIEW', 'DECLINE'))),
       CONSTRAINT kyt_evaluations_approval CHECK (outcome NOT IN ('APPROVED', 'CHALLENGED') OR defensible)
     ) WITH (toast_tuple_target = 4080)`,
    // Compressing a few hundred bytes of numbers takes longer than writing them.
    `ALTER TABLE kyt_evaluations ALTER COLUMN facts SET STORAGE EXTERNAL`,
    // Packed bytes do not compress.
    `ALTER TABLE kyt_evaluations ALTER COLUMN receipt SET STORAGE EXTERNAL`,
    ...['kyt_transactions', 'kyt_house_values', 'kyt_evaluations'].flatMap((table) =>
      appendOnly(table, 'insert_only'),
    ),
    `CREATE TABLE kyt_standings (
       transaction_ref uuid NOT NULL,
       organisation_id uuid NOT NULL,
       evaluation_version integer NOT NULL,
       outcome text NOT NULL,
       risk_score integer,
       defensible boolean NOT NULL,
       PRIMARY KEY (transaction_ref, organisation_id)
     ) WITH (fillfactor = 90)`,
    `CREATE INDEX kyt_standings_outcome ON kyt_standings (organisation_id, outcome, transaction_ref)`,
    `CREATE INDEX kyt_standings_score ON kyt_standings (organisation_id, risk_score, transaction_ref) WHERE risk_score > 0`,
    `CREATE INDEX kyt_standings_undefended ON kyt_standings (organisation_id, transaction_ref) WHERE NOT defensible`,
    `CREATE FUNCTION kyt_note_standing() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN
       INSERT INTO kyt_standings AS s
         (transaction_ref, organisation_id, evaluation_version, outcome, risk_score, defensible)
       VALUES (NEW.transaction_ref, NEW.organisation_id, NEW.evaluation_version, NEW.outcome, NEW.risk_score, NEW.defensible)
       ON CONFLICT (transaction_ref, organisation_id) DO UPDATE
       SET evaluation_version = excluded.evaluation_version, outcome = excluded.outcome,
           risk_score = excluded.risk_score, defensible = excluded.defensible
       WHERE s.evaluation_version < excluded.evaluation_version;
       RETURN NULL;
     END $$`,
    `CREATE TRIGGER kyt_evaluations_standing AFTER INSERT ON kyt_evaluations FOR EACH ROW
       WHEN (NEW.outcome <> 'APPROVED' OR NOT NEW.defensible OR NEW.risk_score > 0 OR NEW.evaluation_version > 1)
       EXECUTE FUNCTION kyt_note_standing()`,
    ...protect('kyt_transactions', 'kyt_house_values', 'kyt_evaluations', 'kyt_standings'),
    `GRANT SELECT, INSERT ON kyt_transactions, kyt_house_values, kyt_evaluations TO vigia_app`,
    `GRANT SELECT, INSERT, UPDATE ON kyt_standings TO vigia_app`,
  ];
}
