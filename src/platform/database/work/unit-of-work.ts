import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, type EntityMetadata, type QueryRunner } from 'typeorm';
import type { PostgresDataSourceOptions } from 'typeorm/driver/postgres/PostgresDataSourceOptions.js';
import { AsyncScope } from '../../kernel/index.js';
import { OrganisationConcurrencyLimiter } from './organisation-concurrency-limiter.js';
import { retry } from './retry.js';
import { commitFailure, isRetryable } from './database-errors.js';
import { ReadBatch } from './read-batch.js';
import { NO_SCOPE, scopeSettingsOf, type DatabaseScope } from '../connection/scope.js';
import { ScopedClient } from '../connection/scoped-client.js';
import { execute } from '../statements/sql.js';
import type { Statement } from '../statements/statements.js';

declare const openTransaction: unique symbol;

/** An open transaction. Only `UnitOfWork.run` makes one, so a write outside a transaction does not compile. */
export type Tx = EntityManager & { readonly [openTransaction]: true };

/** A connection for reading, outside any transaction: each statement sees the data committed before it begins. */
export type Reader = Pick<
  EntityManager,
  'query' | 'find' | 'findBy' | 'findOne' | 'findOneBy' | 'existsBy' | 'countBy'
> &
  Pick<EntityManager, 'createQueryBuilder' | 'queryRunner'>;

type Effect = () => void;
type Finish = () => Promise<void>;
type Join = (tx: Tx) => Promise<void>;

interface Plan {
  readonly beforeCommit: Finish[];
  readonly onceChecked: Finish[];
  readonly afterCommit: Effect[];
}

/** The reads of one organisation that are sent together, and the reader that collects them. */
interface BatchedReads {
  readonly organisationId: string;
  readonly reader: Reader;
}

const plans = new WeakMap<EntityManager, Plan>();
const joins = new AsyncScope<Join>();

// A deadlock or serialisation failure lets one competitor commit. Four in a row point to a fault.
const RETRY = { maxAttempts: 4, retryOn: isRetryable };

/**
 * The only way to the database. Each call names whose rows it is about (`Scope`): the organisation of the caller, the
 * organisations of a batch, or `system('…')` with a listed reason. Row-level security hides all other rows and refuses
 * to write them, so that a statement with a forgotten condition reaches no other organisation.
 */
@Injectable()
export class UnitOfWork {
  private readonly limiter: OrganisationConcurrencyLimiter;
  private readonly batchedReads = new AsyncScope<BatchedReads>();

  constructor(private readonly source: DataSource) {
    const { poolSize = 1, connectTimeoutMS = 0 } = source.options as PostgresDataSourceOptions;
    this.limiter = new OrganisationConcurrencyLimiter(poolSize, connectTimeoutMS);
  }

  /** The descriptions of all tables, which need no scope. */
  get entityMetadatas(): readonly EntityMetadata[] {
    return this.source.entityMetadatas;
  }

  /**
   * Runs `work` in one transaction over the rows of `scope` and commits it. On a deadlock or a serialisation failure
   * the whole work runs again, so it must touch nothing but the database.
   */
  async run<T>(scope: DatabaseScope, work: (tx: Tx) => Promise<T>): Promise<T> {
    return retry(() => this.withSlot(scope, (runner) => runTransaction(runner, work)), RETRY);
  }

  /** Reads rows of `scope` in a few statements: `uow.read(organisationId, (db) => db.findOneBy(…))`. */
  async read<T>(scope: DatabaseScope, work: (db: Reader) => Promise<T>): Promise<T> {
    const batched = this.batchedReads.value;
    if (batched?.organisationId === scope) return work(batched.reader);
    return this.withSlot(scope, (runner) => work(runner.manager));
  }

  /**
   * Runs `work` and combines its reads of the organisation: reads that wait at the same time (`Promise.all`) are sent
   * as one statement. Screens of many parts use it. Each part must be a single SELECT; if one fails, all parts of that
   * statement fail. Transactions and reads with another scope are not affected.
   */
  async batchReads<T>(organisationId: string, work: () => Promise<T>): Promise<T> {
    const batch = new ReadBatch(({ values, ...query }) =>
      this.withSlot(organisationId, (_, client) => client.query({ values: [...values], ...query })),
    );
    // This runner never takes a connection of the pool, so nobody has to release it.
    const runner = this.source.createQueryRunner();
    runner.connect = () => Promise.resolve(batch);
    return this.batchedReads.run({ organisationId, reader: runner.manager }, work);
  }

  /** Reads the rows of one statement: `uow.rows(organisationId, FIND, […])`. */
  async rows<Row>(
    scope: DatabaseScope,
    statement: Statement<Row>,
    values: readonly unknown[],
  ): Promise<Row[]> {
    return this.read(scope, (db) => execute(db, statement, values));
  }

  /**
   * Runs one statement as its own transaction and returns its rows. For hot paths: one round trip instead of one per
   * table.
   */
  async write<Row>(
    scope: DatabaseScope,
    { name, text }: Statement<Row>,
    values: readonly unknown[],
  ): Promise<Row[]> {
    const query = { text, values: [...values], ...(name === undefined ? {} : { name }) };
    // The statement commits by itself, so its outcome is unknown after a lost connection. It is also unknown after a
    // timeout: the statement may have waited for an earlier request with the same row, whose commit waits for a
    // standby.
    const once = (_: QueryRunner, client: ScopedClient): Promise<{ rows: unknown[] }> =>
      client.query(query).catch((error: unknown) => {
        throw commitFailure(error);
      });
    const { rows } = await retry(() => this.withSlot(scope, once), RETRY);
    return rows as Row[];
  }

  private async withSlot<T>(
    scope: DatabaseScope,
    work: (runner: QueryRunner, client: ScopedClient) => Promise<T>,
  ): Promise<T> {
    if (typeof scope === 'string') {
      return this.limiter.runInSlot(scope, () => this.withConnection(scope, work));
    }
    return this.withConnection(scope, work);
  }

  private async withConnection<T>(
    scope: DatabaseScope,
    work: (runner: QueryRunner, client: ScopedClient) => Promise<T>,
  ): Promise<T> {
    const settings = scopeSettingsOf(scope);
    const runner = this.source.createQueryRunner();
    try {
      const client = (await runner.connect()) as ScopedClient;
      client.setScope(settings);
      try {
        return await work(runner, client);
      } finally {
        // The next user of the connection sees no rows until it sets a scope.
        client.setScope(NO_SCOPE);
      }
    } finally {
      await runner.release();
    }
  }
}

async function runTransaction<T>(runner: QueryRunner, work: (tx: Tx) => Promise<T>): Promise<T> {
  try {
    await runner.startTransaction();
    const tx = runner.manager as Tx;
    const plan: Plan = { beforeCommit: [], onceChecked: [], afterCommit: [] };
    plans.set(tx, plan);
    const result = await work(tx);
    for (const finish of plan.beforeCommit) await finish();
    await joins.value?.(tx);
    if (plan.onceChecked.length > 0) await tx.query('SET CONSTRAINTS ALL IMMEDIATE');
    for (const finish of plan.onceChecked) await finish();
    await runner.commitTransaction().catch((error: unknown) => {
      throw commitFailure(error);
    });
    for (const effect of plan.afterCommit) effect();
    return result;
  } catch (error) {
    // If the rollback fails, the connection is lost, and the server rolls back by itself. Throws the original error.
    if (runner.isTransactionActive) await runner.rollbackTransaction().catch(() => undefined);
    throw error;
  }
}

/** Runs `effect` after the commit of `tx`; never after a rollback. The effect must not throw. */
export function afterCommit(tx: Tx, effect: Effect): void {
  planOf(tx).afterCommit.push(effect);
}

/** Runs `finish` before the commit, inside the transaction: for rows that are written once for the whole work. */
export function beforeCommit(tx: Tx, finish: Finish): void {
  planOf(tx).beforeCommit.push(finish);
}

/**
 * Runs `finish` when only the commit is left to do: all work is done, and every check that the database puts off until the
 * commit has passed. For what no rollback takes back, such as a mail. If it throws, nothing is committed.
 */
export function onceChecked(tx: Tx, finish: Finish): void {
  planOf(tx).onceChecked.push(finish);
}

/**
 * Runs `work`. Each transaction opened in it runs `join` before its commit, so that the changes of both are committed
 * or none.
 */
export const joinTransactions = <T>(join: Join, work: () => Promise<T>): Promise<T> => joins.run(join, work);

function planOf(tx: Tx): Plan {
  const plan = plans.get(tx);
  if (!plan) throw new Error('this needs the transaction of a running unit of work');
  return plan;
}
