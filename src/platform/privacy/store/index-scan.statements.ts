import { execute, statement, type Reader, type Rows, type Tx } from '../../database/index.js';

/** Every column with blind indexes, except in the table of transactions, which is scanned in pages. */
export const indexedColumns = {
  subject_keys: ['subject_index'],
  customers: ['subject_index', 'external_index', 'document_index', 'masked_index'],
  screening_hits: ['subject_index'],
  freezes: ['subject_index'],
  kyc_sessions: ['subject_index'],
  artifacts: ['subject_index', 'content_index'],
  kyt_custom_field_values: ['key'],
  kyt_customer_events: [
    'document_key',
    'customer_key',
    'external_key',
    'account_key',
    'device_key',
    'ip_key',
  ],
  rule_cooldowns: ['customer_key'],
  name_words: ['word'],
  name_keys: ['key', 'word'],
  idempotency_keys: ['slot'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export const indexedOfTransactions = [
  'document_key',
  'customer_key',
  'external_key',
  'account_key',
  'device_key',
  'ip_key',
  'counterparty_key',
  'card_key',
] as const;

const PAGE = 20_000;
const BEGINNINGS = `string_agg(DISTINCT substr(k.key, 1, 4), ''::bytea) AS beginnings`;

const SCAN_TRANSACTIONS = statement(
  'privacy.indexes-of-transactions',
  `WITH page AS MATERIALIZED (
     SELECT id, ${indexedOfTransactions.join(', ')} FROM kyt_transactions
     WHERE id > $1::uuid AND id < $2::uuid ORDER BY id LIMIT ${PAGE})
   SELECT ${BEGINNINGS}, (SELECT id FROM page ORDER BY id DESC LIMIT 1) AS reached, count(DISTINCT p.id)::int AS rows
   FROM page p CROSS JOIN LATERAL (VALUES ${indexedOfTransactions.map((column) => `(p.${column})`).join(', ')}) AS k (key)`,
  { beginnings: 'bytea | null', reached: 'uuid | null', rows: 'integer' },
);

const SCAN_OTHERS = Object.entries(indexedColumns).map(([table, columns]) =>
  statement(
    `privacy.indexes-of-${table}`,
    `SELECT ${BEGINNINGS} FROM (
       ${columns.map((column) => `SELECT ${column} AS key FROM ${table} WHERE ${column} IS NOT NULL`).join(' UNION ALL ')}) k`,
    { beginnings: 'bytea | null' },
  ),
);

const ORGANISATIONS = statement('privacy.organisations', 'SELECT id::text AS id FROM organisations', {
  id: 'text',
});

// A process that starts during the rotation waits here until it ends.
const LOCK_KEYS = statement('privacy.hold-index-keys', 'LOCK TABLE index_keys IN ACCESS EXCLUSIVE MODE');

const OTHER_PROCESSES = statement(
  'privacy.other-processes',
  `SELECT count(DISTINCT split_part(application_name, ' ', 2))::int AS others FROM pg_stat_activity
   WHERE datname = current_database() AND starts_with(application_name, 'vigia ')
     AND NOT starts_with(application_name, $1::text)`,
  { others: 'integer' },
);

export type IndexedPage = Rows<typeof SCAN_TRANSACTIONS>;

/** Returns the first four bytes of each index in the next page of transactions between two ids. */
export async function indexesOfTransactions(db: Reader, after: string, before: string): Promise<IndexedPage> {
  const [page] = await execute(db, SCAN_TRANSACTIONS, [after, before]);
  return page ?? { beginnings: null, reached: null, rows: 0 };
}

/** Returns the first four bytes of every index in the other tables. */
export async function indexesOfOthers(db: Reader): Promise<Buffer> {
  const otherIndexes: Buffer[] = [];
  for (const one of SCAN_OTHERS) {
    const [row] = await execute(db, one, []);
    if (row?.beginnings) otherIndexes.push(row.beginnings);
  }
  return Buffer.concat(otherIndexes);
}

export const organisationIds = async (db: Reader): Promise<string[]> =>
  (await execute(db, ORGANISATIONS, [])).map(({ id }) => id);

/** Locks the key table until the transaction ends, so that starting processes wait. */
export const holdIndexKeys = (tx: Tx): Promise<unknown> => execute(tx, LOCK_KEYS, []);

/** Counts the connected processes of the service, without `ownName`. */
export async function countOtherProcesses(db: Reader, ownName: string): Promise<number> {
  const [row] = await execute(db, OTHER_PROCESSES, [ownName]);
  return row?.others ?? 0;
}
