import pg from 'pg';
import { NOTHING, type ScopeSettings } from './scope.js';
import { SteadyClient } from './steady-client.js';

type Callback = (error: Error | undefined, result: pg.QueryResult) => void;
interface QuerySettings extends pg.QueryConfig {
  readonly queryMode?: 'extended';
  /** Hears what a COPY sends; the memory of a chunk is only lent. */
  readonly onCopyData?: (chunk: Buffer) => void;
}
type QueryText = string | QuerySettings;

/** What of the driver's connection and query is used beyond their published types. */
interface Wire {
  readonly stream: { destroy(): void };
  parse(message: { text: string }): void;
  bind(message: { values: readonly unknown[] }): void;
  execute(message: object): void;
  on(event: 'errorMessage', heard: () => void): void;
  on(event: 'commandComplete', heard: (message: { readonly text: string }) => void): void;
}
interface DriverQuery {
  prepare(connection: Wire): void;
  handleCommandComplete(message: unknown, connection: Wire): void;
}
const driverQuery = pg.Query.prototype as unknown as DriverQuery;

/** A query that sends SET commands ahead in its own message: no round trip more, and one transaction with it. */
class QueryInScope extends pg.Query {
  private pending: number;
  private readonly onCopyData: QuerySettings['onCopyData'];

  constructor(
    config: QueryText,
    values: unknown[] | undefined,
    callback: Callback,
    private readonly settings: readonly string[],
  ) {
    const query: QuerySettings = typeof config === 'string' ? { text: config } : config;
    super({ ...query, queryMode: 'extended' } as pg.QueryConfig, values, callback as never);
    this.pending = settings.length;
    this.onCopyData = query.onCopyData;
  }

  prepare(connection: Wire): void {
    for (const text of this.settings) {
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

/**
 * A connection that knows whose rows it may touch. It remembers what the server was last told, compares before each
 * statement, and sends a change along with the statement. What it remembers is never trusted after an error or a
 * rollback (which take a SET back) nor over a reconnect (a new connection is a new object). Whoever takes it from the
 * pool without naming a scope sees no organisation's rows.
 */
export class ScopedClient extends SteadyClient {
  private wanted: ScopeSettings = NOTHING;
  private told: ScopeSettings | null = NOTHING;

  constructor(config?: string | pg.ClientConfig) {
    super(config);
    this.wire.on('errorMessage', () => {
      this.told = null;
    });
    this.wire.on('commandComplete', ({ text }) => {
      if (text === 'ROLLBACK') this.told = null;
    });
    const query = this.query.bind(this) as (...args: unknown[]) => unknown;
    // The driver declares `query` with a dozen overloads; all of them end in these three arguments.
    this.query = ((text: QueryText, values?: unknown[] | Callback, callback?: Callback): unknown => {
      const settings = this.changes();
      if (typeof (text as { readonly submit?: unknown }).submit === 'function') {
        if (settings.length === 0) return query(text, values, callback);
        throw new Error('a stream or cursor cannot be the first statement of its scope');
      }
      const [parameters, heard] = typeof values === 'function' ? [undefined, values] : [values, callback];
      const ask = (answer: Callback): unknown =>
        settings.length === 0 && (typeof text === 'string' || text.onCopyData === undefined)
          ? query(text, parameters, answer)
          : query(new QueryInScope(text, parameters, answer, settings));
      return heard ? ask(heard) : promised(ask);
    }) as typeof this.query;
  }

  /** From now until the connection goes back to the pool its statements are those of this scope. */
  enter(settings: ScopeSettings): void {
    this.wanted = settings;
  }

  private get wire(): Wire {
    return (this as unknown as { readonly connection: Wire }).connection;
  }

  /** What the server has to be told before the next statement. */
  private changes(): string[] {
    const { wanted, told } = this;
    if (told?.organisations === wanted.organisations && told.system === wanted.system) return [];
    const status = (this as unknown as { getTransactionStatus(): string | null }).getTransactionStatus();
    if (status !== 'I') {
      // After an error only the end of the transaction is let through, and that ends what was told in it as well.
      if (told === null) return [];
      // Whoever left it open, or went from one scope to another: nobody goes on with this connection.
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
