import { protect } from './protect.js';
import { appendOnly, audited } from './triggers.js';
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

const DIRECTION = `CASE direction WHEN 'IN' THEN 1 WHEN 'OUT' THEN 2 ELSE 0 END`;

// ascii() instead of convert_to(): a generated column takes immutable functions only.
const CURRENCY = `(ascii(currency) << 16) | (ascii(substr(currency, 2)) << 8) | ascii(substr(currency, 3))`;

/**
 * Transactions, their evaluations, the work that is still to do, and the decisions of persons.
 *
 * - Wide rows are insert-only; a lease or an attempt counter lives in the narrow `kyt_work` row, which is deleted when the
 *   transaction is evaluated. A transaction has a work row or an evaluation, never neither.
 * - The velocity log answers every window of the rules from an index alone. `velocity_entry` packs what a window needs of a
 *   transaction into 28 bytes; it is generated, so it cannot differ from the transaction. Layout, big-endian:
 *   amount in ten-thousandths (8) | currency, three ASCII letters (3) | instrument (5 bits), direction (3 bits) |
 *   first half of the counterparty key (8) | first half of the customer key (8); a missing key is zeros.
 *   `src/features/kyt/domain/velocity-log.ts` reads it. The keys of its indexes end with (occurred_at, seq), the order of the
 *   windows, so that "as of" is an index condition.
 * - An evaluation stores the facts that it read small and apart from the receipt, which holds their hash: a back-test reads a
 *   million of them and no receipt.
 */
export class Kyt1764000000014 extends SqlMigration {
  override readonly name = 'Kyt1764000000014';
  protected override readonly statements = [
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
       velocity_entry bytea NOT NULL GENERATED ALWAYS AS (
         int8send((amount * 10000)::bigint)
         || int4send(((${CURRENCY}) << 8) | ((${INSTRUMENT}) << 3) | (${DIRECTION}))
         || coalesce(substr(counterparty_key, 1, 8), ${NO_KEY})
         || coalesce(substr(customer_key, 1, 8), ${NO_KEY})) STORED,
       CONSTRAINT kyt_transactions_once UNIQUE (client_app_id, transaction_id)
     ) WITH (
       autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_vacuum_insert_threshold = 20000,
       autovacuum_analyze_scale_factor = 0.02)`,
    // The cipher text does not compress.
    `ALTER TABLE kyt_transactions ALTER COLUMN sealed_body SET STORAGE EXTERNAL`,
    ...['customer', 'device', 'ip', 'counterparty'].map(
      (dimension) => `CREATE INDEX kyt_velocity_${dimension} ON kyt_transactions
         (organisation_id, ${dimension}_key, occurred_at, seq) INCLUDE (velocity_entry) WHERE ${dimension}_key IS NOT NULL`,
    ),
    // The reconciler of communications looks through it: a handful of rows among millions.
    `CREATE INDEX kyt_transactions_cash ON kyt_transactions (id)
       WHERE (starts_with(type, 'CASH_') OR type IN ('PIX_WITHDRAWAL', 'CARD_WITHDRAWAL')) AND amount >= 50000`,
    // Half-filled pages: the claim updates the row in place (HOT), and rows live for milliseconds.
    `CREATE TABLE kyt_work (
       transaction_ref uuid PRIMARY KEY,
       organisation_id uuid NOT NULL,
       status text NOT NULL DEFAULT 'QUEUED' CHECK (status IN ('QUEUED', 'PROCESSING', 'DEAD_LETTERED')),
       attempts integer NOT NULL DEFAULT 0,
       fence integer NOT NULL DEFAULT 0,
       generation integer NOT NULL DEFAULT 1,
       due_at timestamptz NOT NULL,
       lease_owner text,
       failure_code text,
       failure_stage text,
       queued_at timestamptz NOT NULL DEFAULT clock_timestamp(),
       discarded_at timestamptz,
       CONSTRAINT kyt_work_discarded CHECK (discarded_at IS NULL OR status = 'DEAD_LETTERED')
     ) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 5000)`,
    `CREATE INDEX kyt_work_dead ON kyt_work (organisation_id, transaction_ref) WHERE status = 'DEAD_LETTERED'`,
    // brief: null for evaluations that are no history for a back-test. Two rows of up to 4,080 bytes fit into a page; only a
    // larger row is compressed, and moved to TOAST when that is not enough. Making a receipt of 2.5 KB half as large costs
    // 30 us; a TOAST row is a second insert with an index of its own.
    `CREATE TABLE kyt_evaluations (
       transaction_ref uuid NOT NULL,
       evaluation_version integer NOT NULL CHECK (evaluation_version > 0),
       organisation_id uuid NOT NULL,
       outcome text NOT NULL CHECK (outcome IN ('APPROVED', 'REVIEW', 'REJECTED')),
       recommended_action text NOT NULL CHECK (recommended_action IN ('NONE', 'STEP_UP', 'HOLD', 'DECLINE')),
       risk_score integer CHECK (risk_score BETWEEN 0 AND 100),
       risk_level text CHECK (risk_level IN ('LOW', 'MEDIUM', 'HIGH', 'CRITICAL')),
       composition text NOT NULL CHECK (composition IN ('COMPLETE', 'PARTIAL', 'MISSING', 'INCONSISTENT')),
       defensible boolean NOT NULL,
       ruleset_id uuid,
       receipt text NOT NULL,
       receipt_hash bytea NOT NULL,
       trail_hash bytea NOT NULL,
       evaluated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
       facts bytea,
       brief text,
       PRIMARY KEY (transaction_ref, evaluation_version),
       CONSTRAINT kyt_evaluations_approval CHECK (outcome <> 'APPROVED' OR defensible)
     ) WITH (toast_tuple_target = 4080)`,
    // Compressing a few hundred bytes of numbers takes longer than writing them.
    `ALTER TABLE kyt_evaluations ALTER COLUMN facts SET STORAGE EXTERNAL`,
    ...['kyt_transactions', 'kyt_evaluations'].flatMap((table) => appendOnly(table, 'insert_only')),
    // Decisions of persons about transactions.
    `CREATE TABLE kyt_decisions (
       id uuid NOT NULL,
       organisation_id uuid NOT NULL REFERENCES organisations (id),
       transaction_ref uuid NOT NULL REFERENCES kyt_transactions (id),
       evaluation_version integer NOT NULL,
       review_id uuid NOT NULL,
       outcome text NOT NULL CHECK (outcome IN ('APPROVED', 'REJECTED')),
       event_sequence integer NOT NULL,
       decided_at timestamptz NOT NULL,
       trail_hash bytea NOT NULL,
       PRIMARY KEY (id, organisation_id),
       FOREIGN KEY (review_id, organisation_id) REFERENCES reviews,
       CONSTRAINT kyt_decisions_once UNIQUE (review_id, transaction_ref, organisation_id)
     )`,
    `CREATE INDEX kyt_decisions_of ON kyt_decisions (organisation_id, transaction_ref, event_sequence)`,
    // Dead letters that an institution decides never to evaluate: one by one with a reason, many with a second person. A
    // request names each transaction with its generation: one that was replayed and failed again is another dead letter.
    `CREATE TABLE dead_letter_discards (
       id uuid NOT NULL,
       organisation_id uuid NOT NULL REFERENCES organisations (id),
       status text NOT NULL DEFAULT 'REQUESTED' CHECK (status IN ('REQUESTED', 'APPROVED', 'WITHDRAWN')),
       reason text NOT NULL,
       transaction_refs uuid[] NOT NULL,
       discarded integer,
       requested_by text NOT NULL,
       requested_at timestamptz NOT NULL,
       decided_by text,
       decided_at timestamptz,
       generations integer[] NOT NULL,
       PRIMARY KEY (id, organisation_id),
       CONSTRAINT dead_letter_discards_four_eyes CHECK (status <> 'APPROVED' OR decided_by <> requested_by),
       CONSTRAINT dead_letter_discards_decided CHECK ((status = 'REQUESTED') = (decided_at IS NULL)),
       CONSTRAINT dead_letter_discards_generations CHECK (cardinality(generations) = cardinality(transaction_refs))
     )`,
    ...audited('kyt_decisions', { subject: 'transaction', id: 'transaction_ref' }),
    ...['kyt_transactions', 'kyt_work', 'kyt_evaluations', 'kyt_decisions', 'dead_letter_discards'].flatMap(
      (table) => protect(table),
    ),
    `GRANT SELECT, INSERT ON kyt_transactions, kyt_evaluations, kyt_decisions TO vigia_app`,
    `GRANT SELECT, INSERT, UPDATE ON dead_letter_discards TO vigia_app`,
    `GRANT SELECT, INSERT, UPDATE, DELETE ON kyt_work TO vigia_app`,
  ];
}
