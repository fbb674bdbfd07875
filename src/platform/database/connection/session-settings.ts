import { table } from '../../kernel/table.js';
import { randomBytes } from 'node:crypto';
import pg from 'pg';

/** The `application_name` of the connections of this process, different for each process. */
export const PROCESS_NAME = `vigia ${randomBytes(4).toString('hex')}`;

/** The group role to which migrations grant access. It owns nothing, so grants and row-level security apply to it. */
export const APP_ROLE = 'vigia_app';

/** Settings of PostgreSQL for a session, by their names there. A number is in milliseconds. */
export type SessionSettings = Readonly<Record<string, string | number>>;

/**
 * The settings of every connection of Vigia. They override those of the server, the database, the login and the URL:
 * - Below version 18 a plan without sequential scans costs 1e10, so that `jit` compiles each statement for seconds.
 * - The plans were measured with this cost of a random page, that of an SSD.
 * - If the network drops packets, the server ends the session of a process that it cannot reach, and frees its locks.
 *   Node cannot set TCP_USER_TIMEOUT for this side; `answerTimeoutMs` replaces it.
 */
export const COMMON_SESSION: SessionSettings = {
  client_encoding: 'UTF8',
  TimeZone: 'UTC',
  jit: 'off',
  random_page_cost: '1.1',
  tcp_keepalives_idle: '5',
  tcp_keepalives_interval: '2',
  tcp_keepalives_count: '3',
  tcp_user_timeout: '12000',
};

interface Limits {
  readonly statementTimeoutMs: number;
  readonly idleInTransactionTimeoutMs: number;
}

/**
 * The session of the service. Every login acts as `vigia_app`, because triggers that bind the service compare
 * `current_user` with it; the login stays `session_user`. The scope of rows begins empty.
 */
export const serviceSession = (limits: Limits): SessionSettings => ({
  ...limitedSession(limits),
  'vigia.organisations': '',
  'vigia.system': '',
  role: APP_ROLE,
});

/** The session of the owner of the schema, who acts as itself. Row-level security binds it too. */
export const ownerSession = (limits: Limits): SessionSettings => ({
  ...limitedSession(limits),
  'vigia.system': 'migration',
});

const limitedSession = (limits: Limits): SessionSettings => ({
  ...COMMON_SESSION,
  application_name: PROCESS_NAME,
  statement_timeout: limits.statementTimeoutMs,
  idle_in_transaction_session_timeout: limits.idleInTransactionTimeoutMs,
});

/**
 * Thrown when the server refuses the settings of a session or shows other ones; the message names them. The connection
 * is not used.
 */
export class SessionRefusedError extends Error {
  override readonly name = 'SessionRefusedError';
  /** The SQLSTATE of a client that cannot establish its connection. */
  readonly code = '08001';

  constructor(reason: string, options?: ErrorOptions) {
    super(
      `the connection to the database is refused: ${reason}. The login, or a pooler or proxy on the way, ` +
        'does not let the service set its session',
      options,
    );
  }
}

// The SQLSTATE of a role or setting that the server does not know or does not allow.
const REFUSED_STATES = /^(0A|22|42)/;
// The kernel of the server keeps TCP settings; on a Unix socket the server shows 0 for them.
const isShown = (name: string): boolean => !name.startsWith('tcp_');

const shownValueOf = (name: string): string =>
  name === 'role' ? 'current_user' : `current_setting('${name}')`;

/**
 * Sets the session of a new connection and reads the settings back, in one round trip. It uses statements, not startup
 * options, which poolers and proxies drop in silence. Throws SessionRefusedError.
 */
export async function beginSession(
  client: Pick<pg.Client, 'query'>,
  settings: SessionSettings,
): Promise<void> {
  const values = Object.entries(settings);
  const compared = values.filter(([name]) => isShown(name));
  const statements = [
    ...values.map(([name, value]) => `SET ${name} = ${pg.escapeLiteral(String(value))}`),
    `SELECT ${compared.map(([name]) => `${shownValueOf(name)} AS "${name}"`).join(', ')}`,
  ];
  const answer: unknown = await client.query(statements.join('; ')).catch((error: unknown) => {
    if (!(error instanceof pg.DatabaseError) || !REFUSED_STATES.test(error.code ?? '')) throw error;
    throw new SessionRefusedError(error.message, { cause: error });
  });
  const row = (answer as pg.QueryResult<Record<string, string>>[]).at(-1)?.rows[0] ?? {};
  const wrong = compared
    .filter(([name, value]) => (typeof value === 'number' ? toMilliseconds(row[name]) : row[name]) !== value)
    .map(([name, value]) => `${name} is "${row[name] ?? ''}" and not "${value}"`);
  if (wrong.length > 0) throw new SessionRefusedError(wrong.join(', '));
}

const UNITS: Readonly<Record<string, number>> = table({
  '': 1,
  ms: 1,
  s: 1_000,
  min: 60_000,
  h: 3_600_000,
  d: 86_400_000,
});

/** Reads a duration as the server shows it, such as `10s`. */
function toMilliseconds(text = ''): number {
  const [, count, unit = ''] = /^(\d+)(\D*)$/.exec(text) ?? [];
  return Number(count) * (UNITS[unit] ?? Number.NaN);
}
