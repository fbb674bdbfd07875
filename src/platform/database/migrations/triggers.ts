/** Refuses every change of a row and TRUNCATE; `suffix` is the end of the trigger's name. */
export function appendOnly(table: string, suffix = 'append_only', refuse = 'refuse_change'): string[] {
  return [
    `CREATE TRIGGER ${table}_${suffix} BEFORE UPDATE OR DELETE ON ${table}
       FOR EACH ROW EXECUTE FUNCTION ${refuse}()`,
    `CREATE TRIGGER ${table}_no_truncate BEFORE TRUNCATE ON ${table}
       FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()`,
    // ALWAYS fires the trigger also under session_replication_role = replica, which disables ordinary triggers.
    `ALTER TABLE ${table} ENABLE ALWAYS TRIGGER ${table}_${suffix}`,
    `ALTER TABLE ${table} ENABLE ALWAYS TRIGGER ${table}_no_truncate`,
  ];
}

interface Audited {
  /** The subject type of the audit entries about these rows. */
  readonly subject: string;
  /** The column that holds the id of the subject. */
  readonly id?: 'id' | 'transaction_ref' | 'session_id';
  /** Columns of the state: a change of one of them needs an entry. Absent for rows that are only inserted. */
  readonly state?: readonly string[];
  /** False if a new row needs no entry of its own. */
  readonly inserts?: boolean;
}

/**
 * Requires an audit entry for each change of a regulated entity: at the commit of a transaction of the service, the
 * trigger looks for an entry about the entity from the same transaction, and refuses the commit if there is none. The
 * service writes both together; the trigger catches code that forgets the entry.
 *
 * Transactions and evaluations have no such trigger, because it would cost ten times as much as storing them. One
 * statement writes hundreds of them together with their entries, so neither exists without the other.
 *
 * The trigger applies to the role of the service. The owner of the tables, who migrates and restores, could drop a
 * trigger anyway; the check of all trails detects changes made outside the service.
 */
export function requireAuditEntry(
  table: string,
  { subject, id = 'id', state, inserts = true }: Audited,
): string[] {
  const check = 'DEFERRABLE INITIALLY DEFERRED FOR EACH ROW';
  const call = `EXECUTE FUNCTION require_audit_entry_by_${id}('${subject}')`;
  const columns = (row: string): string => `(${(state ?? []).map((name) => `${row}.${name}`).join(', ')})`;
  const inserted = `CREATE CONSTRAINT TRIGGER ${table}_announced AFTER INSERT ON ${table} ${check}
    WHEN (${SERVICE}) ${call}`;
  const updated = `CREATE CONSTRAINT TRIGGER ${table}_audited AFTER UPDATE OF ${state?.join(', ')} ON ${table} ${check}
    WHEN (${SERVICE} AND ${columns('OLD')} IS DISTINCT FROM ${columns('NEW')}) ${call}`;
  return [...(inserts ? [inserted] : []), ...(state ? [updated] : [])];
}

/** The condition that limits a trigger to the role of the service. */
export const SERVICE = `current_user = 'vigia_app'`;
