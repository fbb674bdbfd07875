/** Refuses every change of a row and TRUNCATE; `suffix` is how the name of the trigger ends. */
export function appendOnly(table: string, suffix = 'append_only', refuse = 'refuse_change'): string[] {
  return [
    `CREATE TRIGGER ${table}_${suffix} BEFORE UPDATE OR DELETE ON ${table}
       FOR EACH ROW EXECUTE FUNCTION ${refuse}()`,
    `CREATE TRIGGER ${table}_no_truncate BEFORE TRUNCATE ON ${table}
       FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()`,
    // ALWAYS: also under session_replication_role = replica, which disables ordinary triggers.
    `ALTER TABLE ${table} ENABLE ALWAYS TRIGGER ${table}_${suffix}`,
    `ALTER TABLE ${table} ENABLE ALWAYS TRIGGER ${table}_no_truncate`,
  ];
}

interface Audited {
  /** The subject type of the audit entries about these rows. */
  readonly subject: string;
  /** The column that names the subject. */
  readonly id?: 'id' | 'transaction_ref' | 'session_id';
  /** Columns of the state: a change of one of them needs an entry. Left out for rows that are only inserted. */
  readonly state?: readonly string[];
  /** False: a new row needs no entry of its own. */
  readonly inserts?: boolean;
}

/**
 * No change of a regulated entity without its audit entry: when a transaction of the service commits, the database looks
 * for an entry about the entity that the same transaction wrote, and refuses the commit when there is none. The service
 * writes both together; this is for the day when somebody forgets it.
 *
 * Transactions and evaluations have no such trigger: they come by the hundred, and one statement writes them together with
 * their entries and neither without the other. A trigger that looked again cost ten times what storing them costs.
 *
 * It binds the role of the service. The owner of the tables, who migrates and restores, could drop a trigger anyway;
 * the check of all trails finds what is changed behind the service's back.
 */
export function audited(table: string, { subject, id = 'id', state, inserts = true }: Audited): string[] {
  const check = 'DEFERRABLE INITIALLY DEFERRED FOR EACH ROW';
  const call = `EXECUTE FUNCTION require_audit_entry_by_${id}('${subject}')`;
  const columns = (row: string): string => `(${(state ?? []).map((name) => `${row}.${name}`).join(', ')})`;
  const inserted = `CREATE CONSTRAINT TRIGGER ${table}_announced AFTER INSERT ON ${table} ${check}
    WHEN (${SERVICE}) ${call}`;
  const updated = `CREATE CONSTRAINT TRIGGER ${table}_audited AFTER UPDATE OF ${state?.join(', ')} ON ${table} ${check}
    WHEN (${SERVICE} AND ${columns('OLD')} IS DISTINCT FROM ${columns('NEW')}) ${call}`;
  return [...(inserts ? [inserted] : []), ...(state ? [updated] : [])];
}

/** The condition that binds the role of the service alone. */
export const SERVICE = `current_user = 'vigia_app'`;

/** Refuses a row of the service that begins as something that only an approved request makes of it. */
export const begins = (table: string, name: string, when: string): string =>
  `CREATE TRIGGER ${table}_${name} BEFORE INSERT ON ${table} FOR EACH ROW
     WHEN (${SERVICE} AND ${when}) EXECUTE FUNCTION refuse_beginning()`;

interface Approved {
  /** Suffix of the name of the trigger: what needs the approval. */
  readonly name: string;
  readonly acts: readonly string[];
  /** The columns that name the subject of the approval: the first one with a value. */
  readonly id?: 'id' | 'merged_into,id';
  /** The condition on `NEW`, and on `OLD` of an update, under which an approval is needed. */
  readonly when: string;
  readonly on?: 'INSERT' | 'UPDATE' | 'INSERT OR UPDATE';
  /** Columns whose change the request has to hold, by the name of the value in the request. */
  readonly columns?: Readonly<Record<string, string>>;
}

/**
 * No effect of an act without its approval: when a transaction of the service commits, the database looks for a request
 * that was applied in it and that holds exactly these values. Like `audited` it binds the role of the service.
 */
export function approved(
  table: string,
  { name, acts, id = 'id', when, on = 'UPDATE', columns = {} }: Approved,
): string[] {
  const pairs = Object.entries(columns).map(([column, value]) => `, '${column}=${value}'`);
  return [
    `CREATE CONSTRAINT TRIGGER ${table}_${name} AFTER ${on} ON ${table} DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
       WHEN (${SERVICE} AND (${when})) EXECUTE FUNCTION require_approval('${acts.join(',')}', '${id}'${pairs.join('')})`,
  ];
}

interface Exactly {
  /** Suffix of the name of the trigger. */
  readonly name?: string;
  readonly on?: 'INSERT' | 'UPDATE';
  readonly act: string;
  /** The command line needs no second person; its entry in the trail says that it was there. */
  readonly orCommandLine?: true;
  /** The condition on `NEW` and `OLD` under which an approval is needed. */
  readonly when: string;
  /** Columns by the name of the value in the request, and by the column of the request. */
  readonly values: Readonly<Record<string, string>>;
  readonly request?: Readonly<Record<string, string>>;
}

/** As `approved`, for an object that holds what was asked for before it takes effect. */
export function exactly(
  table: string,
  { name = 'approved', on = 'UPDATE', act, orCommandLine, when, values, request = {} }: Exactly,
): string[] {
  const pairs = [
    orCommandLine ? `'!${act}'` : `'${act}'`,
    ...Object.entries(values).map(([column, value]) => `'${column}=${value}'`),
    ...Object.entries(request).map(([column, of]) => `'@${column}=${of}'`),
  ];
  return [
    `CREATE CONSTRAINT TRIGGER ${table}_${name} AFTER ${on} ON ${table} DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
       WHEN (${SERVICE} AND ${when}) EXECUTE FUNCTION require_exact_approval(${pairs.join(', ')})`,
  ];
}
