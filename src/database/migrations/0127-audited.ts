import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * No change of a regulated entity without its audit entry: when a transaction of the service commits, the database looks
 * for an entry about the entity that the same transaction wrote, and refuses the commit when there is none. The service
 * writes both together; this is for the day when somebody forgets it.
 *
 * Transactions and evaluations have no such trigger: they come by the hundred, and one statement writes them together with
 * their entries and neither without the other. A trigger that looked again cost ten times what storing them costs.
 *
 * It binds the role of the service. The owner of the tables, who migrates and restores, could drop a trigger anyway;
 * what is changed behind the service's back is found by the check of all trails.
 */
export class Audited1763600000127 implements MigrationInterface {
  name = 'Audited1763600000127';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('The audit trail is not weakened. Restore a backup.');
  }
}

interface Audited {
  readonly table: string;
  /** The kind of subject that its entries are about. */
  readonly subject: string;
  /** The column that names the subject. */
  readonly id?: 'id' | 'transaction_ref' | 'session_id';
  /** What is its state: a change of any of these has an entry. None for rows that are only inserted. */
  readonly state?: readonly string[];
  /** Rows of this kind appear without an entry of their own. */
  readonly unannounced?: true;
}

const audited: readonly Audited[] = [
  {
    table: 'reviews',
    subject: 'review',
    state: ['status', 'assignee_id', 'resolution', 'report', 'closed_by'],
  },
  { table: 'kyc_sessions', subject: 'session', state: ['status', 'outcome'] },
  {
    table: 'customers',
    subject: 'customer',
    state: [
      ...['risk_level', 'relationship_ended_on', 'legal_hold_at'],
      ...['restricted_at', 'erased_at', 'merged_into'],
    ],
  },
  // What is found is told by the evaluation or the round that found it; what is decided about it, by itself.
  { table: 'screening_hits', subject: 'screening_hit', state: ['status'], unannounced: true },
  { table: 'artifacts', subject: 'artifact', state: ['state'] },
  { table: 'coaf_communications', subject: 'communication', state: ['status'] },
  { table: 'rules', subject: 'rule', state: ['status'] },
  { table: 'rulesets', subject: 'ruleset', state: ['status', 'requested_by', 'approved_by'] },
  { table: 'client_apps', subject: 'client_app', state: ['status', 'scopes', 'ip_allow_list'] },
  { table: 'webhook_endpoints', subject: 'webhook_endpoint', state: ['status', 'url', 'event_types'] },
  { table: 'operators', subject: 'operator', state: ['status', 'roles', 'permissions'] },
  { table: 'kyt_decisions', subject: 'transaction', id: 'transaction_ref' },
  { table: 'kyc_session_decisions', subject: 'session', id: 'session_id' },
  { table: 'fx_imports', subject: 'fx_import' },
  { table: 'audit_exports', subject: 'audit_export' },
];

const SERVICE = `current_user = 'vigia_app'`;

const REFUSAL = `RAISE EXCEPTION 'a change of % without an audit entry', TG_TABLE_NAME
  USING ERRCODE = 'restrict_violation'`;

// An entry carries the number of the transaction that wrote it. Always by the index, whatever was known of the table when
// the plan was made: it is planned once for each connection, and that may be when nothing is there yet.
const PLANNED = `LANGUAGE plpgsql
  SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off`;

const entryOf = (row: string, type: string, id: string): string =>
  `SELECT FROM audit_entries
   WHERE organisation_id = ${row}.organisation_id AND subject_type = ${type} AND subject_id = ${row}.${id}::text
     AND xmin = pg_current_xact_id()::xid`;

const functions = ['id', 'transaction_ref', 'session_id'].map(
  (id) => `CREATE FUNCTION require_audit_entry_by_${id}() RETURNS trigger ${PLANNED} AS $$
   BEGIN
     IF NOT EXISTS (${entryOf('NEW', 'TG_ARGV[0]', id)}) THEN ${REFUSAL}; END IF;
     RETURN NULL;
   END $$`,
);

function triggersOf({ table, subject, id = 'id', state, unannounced }: Audited): string[] {
  const check = `DEFERRABLE INITIALLY DEFERRED FOR EACH ROW`;
  const call = `EXECUTE FUNCTION require_audit_entry_by_${id}('${subject}')`;
  const columns = (row: string): string => `(${(state ?? []).map((name) => `${row}.${name}`).join(', ')})`;
  return [
    ...(unannounced
      ? []
      : [
          `CREATE CONSTRAINT TRIGGER ${table}_announced AFTER INSERT ON ${table} ${check} WHEN (${SERVICE}) ${call}`,
        ]),
    ...(state
      ? [
          `CREATE CONSTRAINT TRIGGER ${table}_audited AFTER UPDATE OF ${state.join(', ')} ON ${table} ${check}
           WHEN (${SERVICE} AND ${columns('OLD')} IS DISTINCT FROM ${columns('NEW')}) ${call}`,
        ]
      : []),
  ];
}

const statements = [...functions, ...audited.flatMap(triggersOf)];
