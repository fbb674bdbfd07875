import pg from 'pg';
import type { Connections, WatchedConnection } from './connections.js';
import { NO_SCOPE, type ScopeSettings } from './scope.js';
import { ReconnectingClient, type SessionConfig } from './reconnecting-client.js';

type Callback = (error: Error | undefined, result: pg.QueryResult) => void;
interface QuerySettings extends pg.QueryConfig {
  readonly queryMode?: 'extended';
  /** Called with each chunk of a COPY. The driver reuses the memory of the chunk afterwards. */
  readonly onCopyData?: (chunk: Buffer) => void;
}
type QueryText = string | QuerySettings;

/** The parts of the driver's connection and query that are used beyond their published types. */
interface Wire {
  readonly stream: { destroy(error?: Error): void; on(event: 'data', listener: () => void): void };
  /** Texts of the prepared statements, keyed by statement name. */
  readonly parsedStatements: Record<string, string>;
  close(message: { readonly type: 'S'; readonly name: string }): void;
  parse(message: { name: string; text: string }): void;
  bind(message: { statement: string; values: readonly unknown[] }): void;
  execute(message: object): void;
  on(event: 'errorMessage', listener: (error: { readonly code?: string }) => void): void;
  on(event: 'commandComplete', listener: (message: { readonly text: string }) => void): void;
}
interface DriverQuery {
  prepare(connection: Wire): void;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, connection: Wire): void;
}
const driverQuery = pg.Query.prototype as unknown as DriverQuery;

/** The settings of a session: the organisations and the system work that it sees, and how the server plans for it. */
type SessionSettings = readonly [
  organisations: string,
  system: string,
  planCacheMode: string,
  seqScan: string,
];

// One prepared statement for all four costs less than a SET for each, which the server parses every time.
const SET_SESSION = {
  name: 'vigia.session',
  text: `SELECT set_config('vigia.organisations', $1, false), set_config('vigia.system', $2, false),
    set_config('plan_cache_mode', $3, false), set_config('enable_seqscan', $4, false)`,
};

/** Commands sent before a query in the same message: without another round trip, and in the same transaction. */
interface CommandsAhead {
  /** Null if the session has the settings that the query needs. */
  readonly settings: SessionSettings | null;
  /** The name of a prepared statement that the server must close first because its plan is too old; otherwise null. */
  readonly forget: string | null;
}

/** A query that can send commands before it and can receive the rows of a COPY. */
class QueryInScope extends pg.Query {
  private isSetting: boolean;
  private readonly onCopyData: QuerySettings['onCopyData'];

  constructor(
    config: QueryText,
    values: unknown[] | undefined,
    callback: Callback,
    private readonly ahead: CommandsAhead,
  ) {
    const query: QuerySettings = typeof config === 'string' ? { text: config } : config;
    super({ queryMode: 'extended', ...query } as pg.QueryConfig, values, callback as never);
    this.isSetting = ahead.settings !== null;
    this.onCopyData = query.onCopyData;
  }

  prepare(connection: Wire): void {
    const { settings, forget } = this.ahead;
    if (forget !== null) forgetStatement(connection, forget);
    if (settings !== null) {
      if (connection.parsedStatements[SET_SESSION.name] === undefined) {
        // An error may have come before or after the server prepared this statement.
        forgetStatement(connection, SET_SESSION.name);
        connection.parse(SET_SESSION);
        connection.parsedStatements[SET_SESSION.name] = SET_SESSION.text;
      }
      connection.bind({ statement: SET_SESSION.name, values: settings });
      connection.execute({});
    }
    driverQuery.prepare.call(this, connection);
  }

  /** Skips the answer to the settings, which precedes the answer to the query. */
  handleDataRow(message: unknown): void {
    if (!this.isSetting) driverQuery.handleDataRow.call(this, message);
  }

  handleCommandComplete(message: unknown, connection: Wire): void {
    if (this.isSetting) this.isSetting = false;
    else driverQuery.handleCommandComplete.call(this, message, connection);
  }

  handleCopyData({ chunk }: { readonly chunk: Buffer }): void {
    this.onCopyData?.(chunk);
  }
}

function forgetStatement(connection: Wire, name: string): void {
  connection.close({ type: 'S', name });
  // oxlint-disable-next-line typescript/no-dynamic-delete -- the driver's own record
  delete connection.parsedStatements[name];
}

// A plan is replaced after this time, because its tables may have been nearly empty when it was made.
const MAX_PLAN_AGE_MS = 30_000;
// Tables grow fastest, in proportion to their size, while a statement is new. So the first plan is used this many
// times, and each later plan MORE_USES times as often as the plan before.
const FIRST_PLAN_USES = 8;
const MORE_USES = 8;

/**
 * Settings of the planner. A prepared statement gets a generic plan: by default the server plans each call for its
 * values while that looks cheaper, which costs 1 to 3 ms for the larger statements of a batch. The generic plan must
 * not depend on the present size of the tables: a sequential scan is cheapest for a table of one page, but soon it may
 * have thousands. So the plan uses an index wherever there is one. An unnamed statement is planned for its values and
 * the present tables; an unnamed statement without values runs under either setting.
 */
const PREPARED = ['force_generic_plan', 'off'] as const;
const UNPREPARED = ['auto', 'on'] as const;
type Planning = typeof PREPARED | typeof UNPREPARED;

/** The uses of a prepared statement's plan so far, and the number of uses and the time after which it is replaced. */
interface StatementPlan {
  readonly until: number;
  readonly mostUses: number;
  uses: number;
}

/** The settings of a connection of the pool: the driver's settings and two more. */
export interface ConnectionSettings extends SessionConfig {
  /** Milliseconds without an answer before the connection is closed; more than `statement_timeout` of the server. */
  readonly answerTimeoutMs?: number;
  readonly connections?: Connections;
}

// SyncRepWaitForLSN is the routine, named the same in every language, by which PostgreSQL reports a commit that it
// acknowledged although the synchronous standby did not confirm it.
const DISK_FULL = '53100';
const NOT_ON_STANDBY = 'SyncRepWaitForLSN';

/**
 * A connection with a scope. It knows which settings the server has, compares them with its scope before each
 * statement, and sends other settings with the statement. An error or a rollback may undo them, so afterwards it sends
 * them again. Without a scope a connection of the pool sees the rows of no organisation.
 */
export class ScopedClient extends ReconnectingClient implements WatchedConnection {
  private lastHeardAt = performance.now();
  private pendingAnswers = 0;
  private readonly answerTimeoutMs: number;
  private allowedAnswerMs = 0;
  private wantedScope: ScopeSettings = NO_SCOPE;
  private serverScope: ScopeSettings | null = NO_SCOPE;
  private readonly plans = new Map<string, StatementPlan>();
  /** The planner settings that the server has; null if an error or a rollback may have undone them. */
  private planning: Planning | null = UNPREPARED;

  constructor(given: string | ConnectionSettings = {}) {
    const config = typeof given === 'string' ? { connectionString: given } : given;
    const { connections, answerTimeoutMs = 0 } = config;
    super(config);
    this.answerTimeoutMs = answerTimeoutMs;
    if (connections) this.reportTo(connections);
    this.on('notice', ({ routine }) => {
      if (routine === NOT_ON_STANDBY) this.giveUp();
    });
    const forget = (): void => {
      this.serverScope = null;
      this.planning = null;
      // oxlint-disable-next-line typescript/no-dynamic-delete -- the driver's own record
      delete this.wire.parsedStatements[SET_SESSION.name];
    };
    this.wire.on('errorMessage', forget);
    this.wire.on('commandComplete', ({ text }) => {
      if (text === 'ROLLBACK') forget();
    });
    const query = this.query.bind(this) as (...args: unknown[]) => unknown;
    // The driver declares `query` with a dozen overloads; all of them end in these three arguments.
    this.query = ((text: QueryText, values?: unknown[] | Callback, callback?: Callback): unknown => {
      // The driver's own query objects take no values, so they need no settings of the planner.
      if (typeof (text as { readonly submit?: unknown }).submit === 'function') {
        if (this.settingsFor(null) === null) return query(text, values, callback);
        throw new Error('a stream or cursor cannot be the first statement of its scope');
      }
      const [parameters, heard] = typeof values === 'function' ? [undefined, values] : [values, callback];
      const settings = this.settingsFor(planningFor(text, parameters));
      const forget = typeof text === 'string' ? null : this.countUse(text.name);
      const isPlain =
        settings === null && forget === null && (typeof text === 'string' || text.onCopyData === undefined);
      const ask = (heed: Callback): unknown => {
        const answer = this.withTimeout(heed);
        return isPlain
          ? query(text, parameters, answer)
          : query(new QueryInScope(text, parameters, answer, { settings, forget }));
      };
      return heard ? ask(heard) : promiseOf(ask);
    }) as typeof this.query;
  }

  /** Sets the scope of the connection until it returns to the pool. */
  setScope(settings: ScopeSettings): void {
    this.wantedScope = settings;
    this.allowedAnswerMs = 0;
  }

  /** Allows answers to take up to `ms`, until the connection returns to the pool. */
  allowAnswerTime(ms: number): void {
    this.allowedAnswerMs = ms;
  }

  get heardAt(): number {
    return this.lastHeardAt;
  }

  get isIdle(): boolean {
    return this.pendingAnswers === 0 && this.status === 'I';
  }

  giveUp(): void {
    const error = Object.assign(new Error('the database did not answer in time'), { code: 'ETIMEDOUT' });
    this.wire.stream.destroy(error);
  }

  private reportTo(connections: Connections): void {
    this.once('connect', () => {
      connections.recordOpened(this);
      this.wire.stream.on('data', () => {
        this.lastHeardAt = performance.now();
      });
    });
    this.wire.on('errorMessage', ({ code }) => {
      if (code === DISK_FULL) connections.fullAt = performance.now();
    });
    this.once('end', () => {
      connections.recordClosed(this);
    });
  }

  /**
   * Adds a timeout to the answer of a statement. If the network drops packets, the statement would otherwise wait
   * until the kernel gives up, about 15 minutes later. The timeout closes the connection.
   */
  private withTimeout(answer: Callback): Callback {
    this.pendingAnswers += 1;
    const ms = Math.max(this.answerTimeoutMs, this.allowedAnswerMs);
    const timer =
      this.answerTimeoutMs === 0
        ? undefined
        : setTimeout(() => {
            this.giveUp();
          }, ms);
    return (error, result) => {
      clearTimeout(timer);
      this.pendingAnswers -= 1;
      answer(error, result);
    };
  }

  /** Counts a use of a prepared statement. Returns the name to forget if the server must plan it again, else null. */
  private countUse(name: string | undefined): string | null {
    if (name === undefined) return null;
    const now = performance.now();
    const plan = this.plans.get(name);
    if (plan && plan.uses < plan.mostUses && now < plan.until) {
      plan.uses += 1;
      return null;
    }
    const mostUses = plan ? plan.mostUses * MORE_USES : FIRST_PLAN_USES;
    this.plans.set(name, { until: now + MAX_PLAN_AGE_MS, mostUses, uses: 1 });
    return plan ? name : null;
  }

  /** Transaction status: I outside a transaction, T inside a transaction, E inside a failed transaction. */
  private get status(): string | null {
    return (this as unknown as { getTransactionStatus(): string | null }).getTransactionStatus();
  }

  private get wire(): Wire {
    return (this as unknown as { readonly connection: Wire }).connection;
  }

  /**
   * Returns the settings that the session needs before a statement; null if it has them. `planning` is null if any
   * planner settings suit the statement.
   */
  private settingsFor(planning: Planning | null): SessionSettings | null {
    const scope = this.isInScope() ? this.serverScope : this.scopeToSend();
    const plan = planning ?? this.planning ?? UNPREPARED;
    if (scope === this.serverScope && (planning === null || plan === this.planning)) return null;
    // In a failed transaction the server refuses settings, as it refuses the statement.
    if (scope === null || this.status === 'E') return null;
    this.serverScope = scope;
    this.planning = plan;
    return [scope.organisations, scope.system, ...plan];
  }

  private isInScope(): boolean {
    const { wantedScope, serverScope } = this;
    return (
      serverScope?.organisations === wantedScope.organisations && serverScope.system === wantedScope.system
    );
  }

  /** Returns the scope that the server needs; null after an error, when only the end of the transaction is possible. */
  private scopeToSend(): ScopeSettings | null {
    if (this.status === 'I') return this.wantedScope;
    // The end of the transaction also undoes its settings.
    if (this.serverScope === null) return null;
    // A transaction was left open, or its scope changed: nobody may use this connection any more.
    const error = new Error('the organisations of a transaction cannot change while it is open');
    this.wire.stream.destroy();
    this.emit('error', error);
    throw error;
  }
}

/**
 * Returns the planner settings for a statement; null for an unprepared statement without values, which any settings
 * suit.
 */
function planningFor(query: QueryText, parameters: readonly unknown[] | undefined): Planning | null {
  const { name, values } = typeof query === 'string' ? {} : query;
  if (name !== undefined) return PREPARED;
  return (parameters ?? values ?? []).length > 0 ? UNPREPARED : null;
}

/**
 * Makes the promise of a query instead of the driver. The driver's promise is referenced by a function literal that is
 * assigned to a property, and V8 allocates such a function in the old generation. From there it keeps the promise, and
 * every row that was read, alive until a full collection. So V8 promotes the rows with it, and pages of rows pile up.
 */
async function promiseOf(ask: (answer: Callback) => unknown): Promise<pg.QueryResult> {
  try {
    return await new Promise((resolve, reject) => {
      ask((error, result) => {
        if (error) reject(error);
        else resolve(result);
      });
    });
  } catch (error) {
    // Makes the stack show the caller and not the socket, as the driver does.
    if (error instanceof Error) Error.captureStackTrace(error);
    throw error;
  }
}
