import pg from 'pg';
import type { Connections, WatchedConnection } from './connections.js';
import { NOTHING, type ScopeSettings } from './scope.js';
import { ReconnectingClient } from './reconnecting-client.js';

type Callback = (error: Error | undefined, result: pg.QueryResult) => void;
interface QuerySettings extends pg.QueryConfig {
  readonly queryMode?: 'extended';
  /** Hears what a COPY sends; the memory of a chunk is only lent. */
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

/** Commands sent ahead of a query, in its own message: no round trip more, and one transaction with it. */
interface Ahead {
  /** SET commands. */
  readonly settings: readonly string[];
  /** A prepared statement that the server is to forget: its plan is old. */
  readonly forget: string | null;
}

/** A query that sends that ahead, and that hears a COPY. */
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

  /** The SETs answer first. */
  handleCommandComplete(message: unknown, connection: Wire): void {
    if (this.pending > 0) this.pending -= 1;
    else driverQuery.handleCommandComplete.call(this, message, connection);
  }

  handleCopyData({ chunk }: { readonly chunk: Buffer }): void {
    this.onCopyData?.(chunk);
  }
}

// A plan is no older than this, so that one that was made on nearly empty tables does not outlive their filling.
const PLAN_MS = 30_000;
// Tables fill fastest, for their size, when a statement begins to be used: the first plan serves this often, the next
// ones that many times as often each.
const FIRST_PLAN_USES = 8;
const MORE_USES = 8;

/**
 * How the server plans. A prepared statement is planned once for any values: left alone, the server plans it for those of
 * each call as long as that looks cheaper, 1 to 3 ms for the larger ones of a batch. That plan must not be one for the table
 * as it is now: a table of a page is cheapest read from end to end, and a moment later it has thousands, each time it is
 * looked into. So it goes by indexes wherever there is one. A statement without a name has the plan that its values and the
 * tables deserve; one without values takes either.
 */
const PREPARED = ['SET plan_cache_mode = force_generic_plan', 'SET enable_seqscan = off'];
const AT_ONCE = ['SET plan_cache_mode = auto', 'SET enable_seqscan = on'];
type Planning = typeof PREPARED;

/** How often and until when the server's plan of a prepared statement is used. */
interface Planned {
  readonly until: number;
  readonly mostUses: number;
  uses: number;
}

/** Told by a pool to each of its connections beside the settings of the driver. */
export interface ConnectionSettings extends pg.ClientConfig {
  /** After so long without an answer the connection is given up; the server itself ends a statement sooner. */
  readonly answerTimeoutMs?: number;
  readonly connections?: Connections;
}

// PostgreSQL reports in these words of its own source, in every language, that a commit was acknowledged although the
// standby that had to have it did not say so.
const DISK_FULL = '53100';
const NOT_ON_STANDBY = 'SyncRepWaitForLSN';

/**
 * A connection that knows whose rows it may touch. It remembers what the server was last told, compares before each
 * statement, and sends a change along with the statement. What it remembers is never trusted after an error or a
 * rollback (which take a SET back) nor over a reconnect (a new connection is a new object). Whoever takes it from the
 * pool without naming a scope sees no organisation's rows.
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
  /** The settings that the server was told last; null when that may have been taken back. */
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
      // Its own statements take no values, so that there is nothing to tell about plans.
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

  /** From now until the connection goes back to the pool its statements are those of this scope. */
  enter(settings: ScopeSettings): void {
    this.wanted = settings;
    this.allowedMs = 0;
  }

  /** Until the connection goes back to the pool the server may take so long for an answer. */
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

  /** The name when the plan of this statement is to be made anew. */
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
    // The server refuses it, as it does the statement.
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

  /** The settings that the server has to be told before the next statement. */
  private changes(): string[] {
    const { wanted, told } = this;
    if (told?.organisations === wanted.organisations && told.system === wanted.system) return [];
    if (this.status !== 'I') {
      // After an error only the end of the transaction is let through, and that ends what was told in it as well.
      if (told === null) return [];
      // Somebody left a transaction open, or changed its scope: nobody goes on with this connection.
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
 * The answer of a query as a promise of our own. The driver's own promise hangs on a function literal that is assigned to a
 * property; the engine puts such a function into the old part of the heap at once. There it holds the promise, and with it
 * every row that was ever read, until a look at the whole heap; so the rows become old as well, and what is read page by
 * page piles up.
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
    // As the driver does: the stack leads to who asked, not to the socket.
    if (error instanceof Error) Error.captureStackTrace(error);
    throw error;
  }
}
