import { protect } from './protect.js';
import { appendOnly } from './triggers.js';
import { SqlMigration } from './sql-migration.js';

const NO_KEY = `'\\x0000000000000000'::bytea`;

// The numbers are those of `instruments` in velocity-log.ts. Matched by prefix, because the set of types is open.
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

// ascii() instead of convert_to(), because a generated column allows only immutable functions.
const CURRENCY = `(ascii(currency) << 16) | (ascii(substr(currency, 2)) << 8) | ascii(substr(currency, 3))`;

const KEYS = ['device', 'ip', 'account', 'card'] as const;
const byte = (number: string): string => `set_byte('\\x00'::bytea, 0, ${number})`;
// Types, channels and countries consist of capital letters, digits and underscores: one byte each, and nothing to
// escape.
const text = (column: string): string => `${byte(`length(${column})`)} || decode(${column}, 'escape')`;
const country = (column: string): string => `decode(rpad(coalesce(${column}, '??'), 2), 'escape')`;

/**
 * Transactions, their evaluations and their current state.
 *
 * - Wide rows are insert-only; state that changes is in the narrow rows of `kyt_work`.
 * - The velocity log answers every window of the rules from an index alone. `velocity_entry` packs the values of a
 *   transaction that windows read; it is a generated column, so it cannot differ from the transaction. Layout,
 *   big-endian:
 *   amount in ten-thousandths (8) | currency, three ASCII letters (3) | instrument (5 bits), cash (1 bit), direction
 *   (2 bits) | first half of the counterparty key (8) | first half of the customer key (8); a missing key is zeros |
 *   presence of device, address, account and card (one bit each) | the first half of each of these keys |
 *   the countries of origin and destination (2 each; spaces: none, `??`: unknown) | length (1) and text of the type |
 *   length (1) and text of the channel.
 *   `src/features/kyt/domain/facts/velocity-log.ts` reads this layout. The keys of the indexes end with
 *   (occurred_at, seq), the order of the windows, so that "as of" is an index condition.
 * - `customer_key` is the keyed hash of the document if the transaction has one, `external_key` that of the
 *   institution's customer id, `card_key` that of `metadata.cardId`. A country is empty if the transaction names none.
 * - `kyt_custom_field_values`: values of custom fields that windows read or group by, one row per transaction and field.
 *   `value` is JSON; for a personal field it is null, and only the encrypted body holds the value. `key` is the keyed
 *   hash of field and value, if windows group by the field. `velocity_entry` is a copy from the transaction, so that
 *   one index answers these windows too.
 * - The facts of an evaluation are stored apart from the receipt, which holds their hash: a back-test reads the small
 *   facts of a million evaluations and no receipt. An evaluation never rejects a transaction: only people reject
 *   (`kyt_decisions`).
 * - `kyt_standings`: the current state of transactions whose newest evaluation is not a plain approval. Lists of
 *   operators read it, without an index over millions of rows for each list. Triggers maintain it, so that no write is
 *   missed; for most transactions they do nothing.
 */
export class Kyt1765000000022 extends SqlMigration {
  protected override readonly statements = [
    // cash: true if banknotes change hands, by the catalogue of types at the submission. received_span: rows of one
    // span have the same key in an index by type or application, which takes six bytes per row. An index-only scan
    // needs pages that vacuum has marked as all-visible; with the default threshold of a fifth of the table, vacuum
    // reaches insert-only tables too late.
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
    // Encrypted bytes do not compress.
    `ALTER TABLE kyt_transactions ALTER COLUMN sealed_body SET STORAGE EXTERNAL`,
    ...['customer', 'device', 'ip', 'counterparty', 'account', 'card'].map(
      (dimension) => `CREATE INDEX kyt_velocity_${dimension} ON kyt_transactions
         (organisation_id, ${dimension}_key, occurred_at, seq) INCLUDE (velocity_entry) WHERE ${dimension}_key IS NOT NULL`,
    ),
    // For the reconciler of communications: a handful of rows among millions.
    `CREATE INDEX kyt_transactions_cash ON kyt_transactions (id) WHERE cash AND amount >= 50000`,
    // The indexes of lists begin with the filtered column, not with the organisation. Without statistics the planner
    // estimates that the organisation alone filters as well as organisation and customer. During the first minute of a
    // new database, the windows of every transaction would read all transactions of the organisation.
    `CREATE INDEX kyt_transactions_type ON kyt_transactions (type, organisation_id, received_span)`,
    `CREATE INDEX kyt_transactions_app ON kyt_transactions (client_app_id, organisation_id, received_span)`,
    // Only searched for equality: a hash index has a quarter of the size of a B-tree.
    `CREATE INDEX kyt_transactions_external ON kyt_transactions USING hash (external_key)`,
    `CREATE TABLE kyt_custom_field_values (
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
    `CREATE INDEX kyt_velocity_custom_field ON kyt_custom_field_values
       (organisation_id, key, occurred_at, seq) INCLUDE (velocity_entry) WHERE key IS NOT NULL`,
    // brief: null for evaluations that a back-test does not use. Two rows of up to 4,080 bytes fit into a page. Only a
    // larger row is compressed, and moved to TOAST if it is still too large: halving a receipt of 2.5 KB costs 30 us,
    // and a TOAST row is a second insert with its own index.
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
    ...['kyt_transactions', 'kyt_custom_field_values', 'kyt_evaluations'].flatMap((table) =>
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
    ...protect('kyt_transactions', 'kyt_custom_field_values', 'kyt_evaluations', 'kyt_standings'),
    `GRANT SELECT, INSERT ON kyt_transactions, kyt_custom_field_values, kyt_evaluations TO vigia_app`,
    `GRANT SELECT, INSERT, UPDATE ON kyt_standings TO vigia_app`,
  ];
}
