import { table } from '../../kernel/table.js';
import { execute } from '../statements/sql.js';
import { prepared, statement } from '../statements/statements.js';
import type { Reader } from '../work/unit-of-work.js';

/**
 * The settings that the service asks of the server, because a session cannot set them: acceptable values, the best
 * first.
 */
export const askedOfServer: Readonly<Record<string, readonly string[]>> = table({
  fsync: ['on'],
  full_page_writes: ['on'],
  synchronous_commit: ['on', 'remote_apply', 'remote_write', 'local'],
  data_checksums: ['on'],
  server_encoding: ['UTF8'],
  log_parameter_max_length: ['0'],
  log_error_verbosity: ['terse'],
});

const sessionSettings = [
  'statement_timeout',
  'idle_in_transaction_session_timeout',
  'jit',
  'random_page_cost',
  'TimeZone',
] as const;

const SHOWN = statement(
  'database.shown-by-server',
  `SELECT current_user::text AS role, 'Z'::text < 'a'::text AS "isByCodePoint",
          (SELECT jsonb_object_agg(s.name, current_setting(s.name)) FROM unnest($1::text[]) AS s (name)) AS settings`,
  { role: 'text', isByCodePoint: 'boolean', settings: 'jsonb' },
);

/** The settings that a connection of the pool shows, as PostgreSQL writes them. */
export interface ShownByServer {
  /** The role as which the connection acts. */
  readonly role: string;
  readonly session: Readonly<Record<string, string>>;
  /** Settings of the server that are not as the service asks for. */
  readonly otherwise: Readonly<Record<string, string>>;
  /** True if the database orders text by code point. */
  readonly isByCodePoint: boolean;
}

/** Reads who a connection acts as, its limits, and what the server lacks. */
export async function shownByServer(db: Reader): Promise<ShownByServer> {
  const [row] = await execute(db, SHOWN, [[...sessionSettings, ...Object.keys(askedOfServer)]]);
  if (!row) throw new Error('a statement without a table has one row');
  const settings = Object.entries(row.settings as Record<string, string>);
  return {
    role: row.role,
    isByCodePoint: row.isByCodePoint,
    session: Object.fromEntries(settings.filter(([name]) => sessionSettings.some((own) => own === name))),
    otherwise: Object.fromEntries(
      settings.filter(([name, value]) => askedOfServer[name]?.includes(value) === false),
    ),
  };
}

// The text changes when a writing transaction begins or ends, in any session, and never otherwise.
const COMMIT_MARK = prepared('database.commit-mark', 'SELECT pg_current_snapshot()::text AS mark', {
  mark: 'text',
});

/** Returns a text that is the same as before as long as nothing was committed. */
export async function readCommitMark(db: Reader): Promise<string> {
  const [row] = await execute(db, COMMIT_MARK, []);
  if (!row) throw new Error('a statement without a condition returned no row');
  return row.mark;
}
