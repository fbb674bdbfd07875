import { AsyncLocalStorage } from 'node:async_hooks';
import { Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { DataSource, type EntityManager } from 'typeorm';
import type { Composite } from './composite.js';
import { isRetryable } from './database-errors.js';

declare const openTransaction: unique symbol;

/** An open transaction. Only `UnitOfWork.run` makes one, so a write outside a transaction does not compile. */
export type Tx = EntityManager & { readonly [openTransaction]: true };

type Effect = () => void;
type Finish = () => Promise<void>;
type Join = (tx: Tx) => Promise<void>;

interface Plan {
  readonly beforeCommit: Finish[];
  readonly afterCommit: Effect[];
}

const plans = new WeakMap<EntityManager, Plan>();
const joins = new AsyncLocalStorage<Join>();

// A deadlock or serialisation failure loses to one competitor at a time; four losses in a row are a fault.
const MAX_RUNS = 4;

@Injectable()
export class UnitOfWork {
  constructor(private readonly source: DataSource) {}

  /**
   * Runs `work` in one transaction and commits it. On a deadlock or a serialisation failure the whole work runs
   * again, so it must touch nothing but the database.
   */
  async run<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.once(work);
      } catch (error) {
        if (attempt >= MAX_RUNS || !isRetryable(error)) throw error;
      }
    }
  }

  /**
   * Runs one composite statement, which is a transaction of its own, and returns its rows. For the hot paths: what a
   * message to the database costs is paid once instead of once per table.
   */
  async write<Row>({ name, text, values }: Composite): Promise<Row[]> {
    const pool = (this.source.driver as unknown as { readonly master: Pool }).master;
    for (let attempt = 1; ; attempt += 1) {
      try {
        const result = await pool.query({
          ...(name === undefined ? {} : { name }),
          text,
          values: [...values],
        });
        return result.rows as Row[];
      } catch (error) {
        if (attempt >= MAX_RUNS || !isRetryable(error)) throw error;
      }
    }
  }

  private async once<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    const runner = this.source.createQueryRunner();
    try {
      await runner.connect();
      await runner.startTransaction();
      const tx = runner.manager as Tx;
      const plan: Plan = { beforeCommit: [], afterCommit: [] };
      plans.set(tx, plan);
      const result = await work(tx);
      for (const finish of plan.beforeCommit) await finish();
      await joins.getStore()?.(tx);
      await runner.commitTransaction();
      for (const effect of plan.afterCommit) effect();
      return result;
    } catch (error) {
      // A failed rollback means that the connection is gone, which rolls back as well; the first error is the cause.
      if (runner.isTransactionActive) await runner.rollbackTransaction().catch(() => undefined);
      throw error;
    } finally {
      await runner.release();
    }
  }
}

/** Runs `effect` once `tx` has committed, and never when it has not. The effect must not throw. */
export function afterCommit(tx: Tx, effect: Effect): void {
  planOf(tx).afterCommit.push(effect);
}

/** Runs `finish` at the end of the work, still inside the transaction: for what is written once for all of it. */
export function beforeCommit(tx: Tx, finish: Finish): void {
  planOf(tx).beforeCommit.push(finish);
}

/** Runs `work`; each transaction that it opens runs `join` last, so that both commit or neither does. */
export const joinTransactions = <T>(join: Join, work: () => Promise<T>): Promise<T> => joins.run(join, work);

function planOf(tx: Tx): Plan {
  const plan = plans.get(tx);
  if (!plan) throw new Error('this needs the transaction of a running unit of work');
  return plan;
}
