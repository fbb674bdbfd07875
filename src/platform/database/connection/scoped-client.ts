import pg from 'pg';
import type { Connections, WatchedConnection } from './connections.js';
import { NOTHING, type ScopeSettings } from './scope.js';
import { ReconnectingClient } from './reconnecting-client.js';

type Callback = (error: Error | undefined, result: pg.QueryResult) => void;
interface QuerySettings extends pg.QueryConfig {
  readonly queryMode?: 'extended';
  /** Called with each chunk of a COPY; the driver takes the memory of a chunk back. */
  readonly onCopyData?: (chunk: Buffer) => void;
}
type QueryText = string | QuerySettings;

/** The parts of the driver's connection and query that are used beyond their published types. */
interface Wire {
  readonly stream: { destroy(error?: Error): void; on(event: 'data', heard: () => void): void };
  /** Texts of the statements that the server has prepared, by name. */
  readonly parsedStatements: Record<string, string>;
  close(message: { readonly type: 'S'; readonly name: string }): void;
  parse(message: { text: string }): void;
  bind(message: { values: readonly unknown[] }): void;
  execute(message: object): void;
  on(event: 'errorMessage', heard: (error: { readonly code?: string }) => void): void;
  on(event: 'commandComplete', heard: (message: { readonly text: string }) => void): void;
}
interface DriverQuery {
  prepare(connection: Wire): void;
  handleCommandComplete(message: unknown, connection: Wire): void;
}
const driverQuery = pg.Query.prototype as unknown as DriverQuery;

/** Commands sent ahead of a query in its own message: no further round trip, and the same transaction. */
interface Ahead {
  /** SET commands. */
  readonly settings: readonly string[];
  /** The name of a prepared statement that the server must forget, because its plan is old. */
  readonly forget: string | null;
}

/** A query that sends commands ahead and receives a COPY. */
class QueryInScope extends pg.Query {
  private pending: number;
  private readonly onCopyData: QuerySettings['onCopyData'];

  constructor(
    config: QueryText,
    values: unknown[] | undefined,
    callback: Callback,
    private readonly ahead: Ahead,
  ) {
    const query: QuerySettings = typeof config === 'string' ? { text: config } : config;
    super({ queryMode: 'extended', ...query } as pg.QueryConfig, values, callback as never);
    this.pending = ahead.settings.length;
    this.onCopyData = query.onCopyData;
  }

  prepare(connection: Wire): void {
    const { settings, forget } = this.ahead;
    if (forget !== null) {
      connection.close({ type: 'S', name: forget });
      // eslint-disable-next-line @typescript-eslint/no-dynamic-delete -- the driver's own record
      delete connection.parsedStatements[forget];
    }
    for (const text of settings) {
      connection.parse({ text });
      connection.bind({ values: [] });
      connection.execute({});
    }
    driverQuery.prepare.call(this, connection);
  }

  /** Skips the answers of the SETs, which come first. */
  handleCommandComplete(message: unknown, connection: Wire): void {
    if (this.pending > 0) this.pending -= 1;
    else driverQuery.handleCommandComplete.call(this, message, connection);
  }

  handleCopyData({ chunk }: { readonly chunk: Buffer }): void {
    this.onCopyData?.(chunk);
  }
}

// The longest life of a plan, so that one for nearly empty tables does not outlive their filling.
const PLAN_MS = 30_000;
// Tables fill fastest, for their size, when a statement is new: the first plan serves this often, and each later one
// MORE_USES times as often as the one before.
const FIRST_PLAN_USES = 8;
const MORE_USES = 8;

/**
 * Settings of the planner. A prepared statement gets one plan for any values: by default the server plans each call for
 * its values as long as that looks cheaper, which costs 1 to 3 ms for the larger statements of a batch. The one plan must
 * not fit the tables as they are now: a table of one page is cheapest read from end to end, and a moment later it has
 * thousands of pages. So the plan uses an index wherever there is one. A statement without a name is planned for its
 * values and tables; one without values runs under either setting.
 */
const PREPARED = ['SET plan_cache_mode = force_generic_plan', 'SET enable_seqscan = off'];
const AT_ONCE = ['SET plan_cache_mode = auto', 'SET enable_seqscan = on'];
type Planning = typeof PREPARED;

/** The uses and the end of the server's plan of a prepared statement. */
interface Planned {
  readonly until: number;
  readonly mostUses: number;
  uses: number;
}

/** The settings that a pool gives each connection, with those of the driver. */
export interface ConnectionSettings extends pg.ClientConfig {
  /** After so many ms without an answer the connection is ended; the server itself ends a statement sooner. */
  readonly answerTimeoutMs?: number;
  readonly connections?: Connections;
}

// SyncRepWaitForLSN is the routine, named the same in every language, by which PostgreSQL reports a commit that it
// acknowledged although the synchronous standby did not confirm it.
const DISK_FULL = '53100';
const NOT_ON_STANDBY = 'SyncRepWaitForLSN';

/**
 * A connection with a scope. It remembers the settings that the server has, compares them with its scope before each
 * statement, and sends a change along with the statement. It forgets them after an error or a rollback (which undo a
 * SET), and a new connection is a new object. Without a scope a connection from the pool sees no organisation's rows.
 */
export class ScopedClient extends ReconnectingClient implements WatchedConnection {
  readonly target: string;
  private heard = performance.now();
  private asked = 0;
  private readonly answerTimeoutMs: number;
  private allowedMs = 0;
  private wanted: ScopeSettings = NOTHING;
  private told: ScopeSettings | null = NOTHING;
  private readonly plans = new Map<string, Planned>();
  /** The settings that the server has; null if they may have been undone. */
  private planning: Planning | null = AT_ONCE;

  constructor(given: string | ConnectionSettings = {}) {
    const config = typeof given === 'string' ? { connectionString: given } : given;
    const { connections, answerTimeoutMs = 0 } = config;
    super(connections?.hasSeveral ? { ...config, connectionString: connections.target } : config);
    this.target = connections?.target ?? '';
    this.answerTimeoutMs = answerTimeoutMs;
    if (connections) this.join(connections);
    this.on('notice', ({ routine }) => {
      if (routine === NOT_ON_STANDBY) this.giveUp();
    });
    const forget = (): void => {
      this.told = null;
      this.planning = null;
    };
    this.wire.on('errorMessage', forget);
    this.wire.on('commandComplete', ({ text }) => {
      if (text === 'ROLLBACK') forget();
    });
    const query = this.query.bind(this) as (...args: unknown[]) => unknown;
    // The driver declares `query` with a dozen overloads; all of them end in these three arguments.
    this.query = ((text: QueryText, values?: unknown[] | Callback, callback?: Callback): unknown => {
      const settings = this.changes();
      // The driver's own query objects take no values, so that they need no settings of the planner.
      if (typeof (text as { readonly submit?: unknown }).submit === 'function') {
        if (settings.length === 0) return query(text, values, callback);
        throw new Error('a stream or cursor cannot be the first statement of its scope');
      }
      const [parameters, heard] = typeof values === 'function' ? [undefined, values] : [values, callback];
      settings.push(...this.replan(text, parameters));
      const forget = typeof text === 'string' ? null : this.outdated(text.name);
      const isPlain =
        settings.length === 0 &&
        forget === null &&
        (typeof text === 'string' || text.onCopyData === undefined);
      const ask = (heed: Callback): unknown => {
        const answer = this.within(heed);
        return isPlain
          ? query(text, parameters, answer)
          : query(new QueryInScope(text, parameters, answer, { settings, forget }));
      };
      return heard ? ask(heard) : promised(ask);
    }) as typeof this.query;
  }

  /** Sets the scope of the connection until it goes back to the pool. */
  enter(settings: ScopeSettings): void {
    this.wanted = settings;
    this.allowedMs = 0;
  }

  /** Lets the server take so long for an answer until the connection goes back to the pool. */
  allow(ms: number): void {
    this.allowedMs = ms;
  }

  get heardAt(): number {
    return this.heard;
  }

  get isIdle(): boolean {
    return this.asked === 0 && this.status === 'I';
  }

  giveUp(): void {
    const error = Object.assign(new Error('the database did not answer in time'), { code: 'ETIMEDOUT' });
    this.wire.stream.destroy(error);
  }

  private join(connections: Connections): void {
    this.once('connect', () => {
      connections.opened(this);
      this.wire.stream.on('data', () => {
        this.heard = performance.now();
      });
    });
    this.wire.on('errorMessage', ({ code }) => {
      if (code === DISK_FULL) connections.fullAt = performance.now();
    });
    this.once('end', () => {
      connections.closed(this);
    });
  }

  /**
   * A network that drops packets refuses nothing: without a limit of our own a statement on an established connection
   * waits until the kernel gives up, a quarter of an hour later. The connection is of no use afterwards.
   */
  private within(answer: Callback): Callback {
    this.asked += 1;
    const ms = Math.max(this.answerTimeoutMs, this.allowedMs);
    const timer =
      this.answerTimeoutMs === 0
        ? undefined
        : setTimeout(() => {
            this.giveUp();
          }, ms);
    return (error, result) => {
      clearTimeout(timer);
      this.asked -= 1;
      answer(error, result);
    };
  }

  /** Returns the name if the plan of this statement must be made anew; null otherwise. */
  private outdated(name: string | undefined): string | null {
    if (name === undefined) return null;
    const now = performance.now();
    const plan = this.plans.get(name);
    if (plan && plan.uses < plan.mostUses && now < plan.until) {
      plan.uses += 1;
      return null;
    }
    const mostUses = plan ? plan.mostUses * MORE_USES : FIRST_PLAN_USES;
    this.plans.set(name, { until: now + PLAN_MS, mostUses, uses: 1 });
    return plan ? name : null;
  }

  /** Returns the commands ahead of a statement that is to be planned otherwise than the one before it. */
  private replan(query: QueryText, parameters: readonly unknown[] | undefined): readonly string[] {
    const { name, values } = typeof query === 'string' ? {} : query;
    const hasValues = (parameters ?? values ?? []).length > 0;
    const wanted = name === undefined ? (hasValues ? AT_ONCE : null) : PREPARED;
    if (wanted === null || wanted === this.planning) return [];
    // After an error the server refuses the settings, as it does the statement.
    if (this.status === 'E') return [];
    this.planning = wanted;
    return wanted;
  }

  /** I: in no transaction, T: in one, E: in one that has failed. */
  private get status(): string | null {
    return (this as unknown as { getTransactionStatus(): string | null }).getTransactionStatus();
  }

  private get wire(): Wire {
    return (this as unknown as { readonly connection: Wire }).connection;
  }

  /** Returns the SET commands that the server needs before the next statement. */
  private changes(): string[] {
    const { wanted, told } = this;
    if (told?.organisations === wanted.organisations && told.system === wanted.system) return [];
    if (this.status !== 'I') {
      // After an error the server accepts only the end of the transaction, which also undoes its settings.
      if (told === null) return [];
      // A transaction was left open, or its scope changed: nobody may use this connection any more.
      const error = new Error('the organisations of a transaction cannot change while it is open');
      this.wire.stream.destroy();
      this.emit('error', error);
      throw error;
    }
    this.told = wanted;
    return [
      ...(told?.organisations === wanted.organisations
        ? []
        : [`SET vigia.organisations = '${wanted.organisations}'`]),
      ...(told?.system === wanted.system ? [] : [`SET vigia.system = '${wanted.system}'`]),
    ];
  }
}

/**
 * Gives the answer of a query a promise of its own. The driver's promise hangs on a function literal that is assigned to a
 * property; the engine puts such a function into the old part of the heap at once. There it holds the promise, and with
 * it every row that was read, until the whole heap is collected; so the rows become old as well, and pages of rows pile
 * up.
 */
async function promised(ask: (answer: Callback) => unknown): Promise<pg.QueryResult> {
  try {
    return await new Promise((resolve, reject) => {
      ask((error, result) => {
        if (error) reject(error);
        else resolve(result);
      });
    });
  } catch (error) {
    // As in the driver: the stack leads to the caller, not to the socket.
    if (error instanceof Error) Error.captureStackTrace(error);
    throw error;
  }
}
