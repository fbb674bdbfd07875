import type { EntityManager } from 'typeorm';
import { execute } from '../statements/sql.js';
import { statement } from '../statements/statements.js';

const TRY_LOCK = statement('database.try-lock', 'SELECT pg_try_advisory_xact_lock($1) AS mine', {
  mine: 'boolean',
});

const TAKE_TURN = statement(
  'database.take-turn',
  'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))::text AS turn',
  { turn: 'text' },
);

const ALLOW = statement(
  'database.allow-time',
  `SELECT set_config('statement_timeout', $1, true) AS allowed`,
  {
    allowed: 'text',
  },
);

/** Takes the lock of this number until the transaction ends; false when somebody else has it. */
export async function tryLock(tx: Pick<EntityManager, 'queryRunner'>, lock: number): Promise<boolean> {
  const [row] = await execute(tx, TRY_LOCK, [lock]);
  return row?.mine === true;
}

/** Waits until nobody else in a transaction has taken the turn of this name. */
export const takeTurn = (tx: Pick<EntityManager, 'queryRunner'>, name: string): Promise<unknown> =>
  execute(tx, TAKE_TURN, [name]);

/** Lets statements of this transaction take longer than those of a request may. */
export const allowMinutes = (tx: Pick<EntityManager, 'queryRunner'>, minutes: number): Promise<unknown> =>
  execute(tx, ALLOW, [`${minutes}min`]);
