import { protect } from './protect.js';
import { appendOnly } from './triggers.js';
import { SqlMigration } from './sql-migration.js';

const NO_KEY = `'\\x0000000000000000'::bytea`;
const KEYS = ['device', 'ip', 'account'] as const;
const byte = (number: string): string => `set_byte('\\x00'::bytea, 0, ${number})`;
const text = (column: string): string => `${byte(`length(${column})`)} || decode(${column}, 'escape')`;

/**
 * Events of customers that move no money, such as a login.
 *
 * - `seq` comes from the sequence of the transactions: it orders events and transactions by their arrival, so that the
 *   windows of a transaction read the events that arrived before it.
 * - `velocity_entry` has the layout of `kyt_transactions` (`0022-kyt`) with no amount, currency, direction, counterparty,
 *   card and countries, so that one reader decodes both.
 * - `kyt_customer_event_types`: since when an application sends events of a type. Without it nobody could tell "none
 *   happened" from "none are sent".
 * - Nearly all audit entries may be about events, so the indexes of the rarer subjects leave them out.
 */
export class KytCustomerEvents1765000000048 extends SqlMigration {
  protected override readonly statements = [
    `CREATE TABLE kyt_customer_events (
       id uuid NOT NULL,
       seq bigint NOT NULL DEFAULT nextval('kyt_transactions_seq_seq'),
       organisation_id uuid NOT NULL,
       client_app_id uuid NOT NULL,
       event_id text NOT NULL,
       type text NOT NULL,
       channel text NOT NULL,
       occurred_at timestamptz NOT NULL,
       received_at timestamptz NOT NULL,
       fingerprint bytea NOT NULL,
       document_key bytea,
       customer_key bytea,
       external_key bytea,
       account_key bytea,
       device_key bytea,
       ip_key bytea,
       sealed_body bytea NOT NULL,
       warnings text[],
       request_id text NOT NULL,
       correlation_id text NOT NULL,
       trail_hash bytea NOT NULL,
       velocity_entry bytea NOT NULL GENERATED ALWAYS AS (
         int8send(0) || int4send(0) || ${NO_KEY}
         || coalesce(substr(customer_key, 1, 8), ${NO_KEY})
         || ${byte(KEYS.map((key, i) => `CASE WHEN ${key}_key IS NULL THEN 0 ELSE ${2 ** i} END`).join(' | '))}
         || ${KEYS.map((key) => `coalesce(substr(${key}_key, 1, 8), '')`).join(' || ')}
         || '    '::bytea
         || ${text('type')} || ${text('channel')}) STORED,
       PRIMARY KEY (id, organisation_id),
       CONSTRAINT kyt_customer_events_once UNIQUE (client_app_id, event_id, organisation_id)
     ) WITH (
       autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_vacuum_insert_threshold = 20000,
       autovacuum_analyze_scale_factor = 0.02)`,
    `ALTER TABLE kyt_customer_events ALTER COLUMN sealed_body SET STORAGE EXTERNAL`,
    ...['customer', ...KEYS].map(
      (dimension) => `CREATE INDEX kyt_customer_events_${dimension} ON kyt_customer_events
         (organisation_id, ${dimension}_key, occurred_at, seq) INCLUDE (velocity_entry) WHERE ${dimension}_key IS NOT NULL`,
    ),
    ...appendOnly('kyt_customer_events', 'insert_only'),
    `CREATE TABLE kyt_customer_event_types (
       client_app_id uuid NOT NULL,
       type text NOT NULL,
       organisation_id uuid NOT NULL,
       first_seq bigint NOT NULL,
       PRIMARY KEY (client_app_id, type, organisation_id)
     )`,
    ...protect('kyt_customer_events', 'kyt_customer_event_types'),
    `GRANT SELECT, INSERT ON kyt_customer_events, kyt_customer_event_types TO vigia_app`,
    `GRANT USAGE ON SEQUENCE kyt_transactions_seq_seq TO vigia_app`,
    ...[
      ['audit_leaves_other', '(organisation_id, leaf_index)'],
      ['audit_leaves_other_subject', '(organisation_id, subject_type, leaf_index)'],
    ].flatMap(([name, columns]) => [
      `DROP INDEX ${name}`,
      `CREATE INDEX ${name} ON audit_leaves ${columns}
         WHERE subject_type NOT IN ('transaction', 'customer_event', 'delivery', 'state', 'access')`,
    ]),
  ];
}
