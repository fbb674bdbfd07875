import type { EntityManager, EntityTarget, FindOptionsWhere, ObjectLiteral } from 'typeorm';
import type { ScopedClient } from '../connection/scoped-client.js';
import { execute } from '../statements/sql.js';
import { prepared, statement } from '../statements/statements.js';

/** Added to the statement timeout of the server: an answer that is later than this was lost. */
export const ANSWER_GRACE_MS = 1_000;

const TRY_LOCK = prepared('try-lock', 'SELECT pg_try_advisory_xact_lock($1) AS mine', {
  mine: 'boolean',
});

const TAKE_TURN = statement(
  'database.take-turn',
  'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))::text AS turn',
  { turn: 'text' },
);

const RAISE_TIMEOUT = statement(
  'database.allow-time',
  `SELECT set_config('statement_timeout', $1, true) AS allowed`,
  {
    allowed: 'text',
  },
);

/** Takes the advisory lock of this number until the transaction ends; false if another transaction has it. */
export async function tryLock(tx: Pick<EntityManager, 'queryRunner'>, lock: number): Promise<boolean> {
  const [row] = await execute(tx, TRY_LOCK, [lock]);
  return row?.mine === true;
}

/** Waits for the advisory lock of this name, and holds it until the transaction ends. */
export const waitForLock = (tx: Pick<EntityManager, 'queryRunner'>, name: string): Promise<unknown> =>
  execute(tx, TAKE_TURN, [name]);

/** Raises the statement timeout of this transaction; the default timeout is meant for requests. */
export async function raiseStatementTimeout(
  tx: Pick<EntityManager, 'queryRunner'>,
  minutes: number,
): Promise<void> {
  await execute(tx, RAISE_TIMEOUT, [`${minutes}min`]);
  const client = (await tx.queryRunner?.connect()) as ScopedClient | undefined;
  client?.allowAnswerTime(minutes * 60_000 + ANSWER_GRACE_MS);
}

/** Finds a row and locks it until the transaction ends; by default, rows that refer to it may still be added. */
export const lockRow = <Entity extends ObjectLiteral>(
  tx: Pick<EntityManager, 'findOne'>,
  entity: EntityTarget<Entity>,
  where: FindOptionsWhere<Entity>,
  mode: 'for_no_key_update' | 'pessimistic_write' = 'for_no_key_update',
): Promise<Entity | null> => tx.findOne(entity, { where, lock: { mode } });
