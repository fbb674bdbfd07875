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

/** The condition that limits a trigger to the role of the service. */
export const SERVICE = `current_user = 'vigia_app'`;
