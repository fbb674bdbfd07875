import {
  column,
  columns,
  execute,
  isIn,
  narrowColumn,
  prepared,
  sqlArray,
  statement,
  unnested,
  type Clause,
  type Rows,
  type Tx,
} from '../../database/index.js';
import { newUuid } from '../../kernel/index.js';
import type { JobPayload, QueueName } from '../queues.js';
import { OutboxEntity } from './entities.js';

export interface NewMessage {
  readonly id: string;
  readonly queue: QueueName;
  readonly refs: readonly string[];
}

export type OutboxRow = Rows<typeof CLAIM>;

const MESSAGES = unnested<NewMessage>({
  uuid: ['id'],
  code: ['queue'],
  json: { payload: ({ refs }) => ({ refs }) },
});
const APPEND = prepared(
  'outbox-append',
  `INSERT INTO outbox (${MESSAGES.columns}) SELECT ${MESSAGES.read} FROM ${MESSAGES.from()}`,
);

export const appendMessages = (tx: Tx, messages: readonly NewMessage[]): Promise<unknown> =>
  execute(tx, APPEND, MESSAGES.arrays(messages));

/** `Outbox.append` as a clause of a composite statement: one message about the rows that `from` returns as `id`. */
export const messageClause = (name: string, queue: QueueName, from: string): Clause => ({
  name,
  text: `INSERT INTO outbox (id, queue, payload)
             SELECT $1::uuid, $2::text, jsonb_build_object('refs', jsonb_agg(id)) FROM ${from} HAVING count(*) > 0`,
  values: [newUuid(), queue],
});

/** A message clause (`messageClause`) about only the returned rows whose id is in `refs`. */
export const messageClauseAmong = (
  name: string,
  queue: QueueName,
  from: string,
  refs: readonly string[],
): Clause => ({
  name,
  text: `INSERT INTO outbox (id, queue, payload)
             SELECT $1::uuid, $2::text, jsonb_build_object('refs', jsonb_agg(id))
             FROM ${from} WHERE id = ANY($3::uuid[]) HAVING count(*) > 0`,
  values: [newUuid(), queue, sqlArray.uuids(refs)],
});

const STATE = statement(
  'queue.outbox-state',
  `SELECT (SELECT count(*)::int FROM (SELECT FROM outbox LIMIT 100000) counted) AS messages,
     coalesce((SELECT greatest(0, extract(epoch FROM clock_timestamp() - created_at))
       FROM outbox ORDER BY id LIMIT 1), 0)::float8 AS oldest_seconds`,
  { messages: 'integer', oldest_seconds: 'float8' },
);

/** Counts the messages in the outbox, with the age of the oldest. */
export async function outboxState(
  db: Pick<Tx, 'queryRunner'>,
): Promise<{ readonly messages: number; readonly oldestSeconds: number }> {
  const [row] = await execute(db, STATE, []);
  return { messages: row?.messages ?? 0, oldestSeconds: row?.oldest_seconds ?? 0 };
}

// ORDER BY id reads the index, so it skips dead rows. EXISTS could scan the table from its start, where the dead rows
// are.
const HAS_MESSAGES = prepared(
  'outbox-any',
  `SELECT (SELECT id FROM outbox ORDER BY id LIMIT 1) IS NOT NULL AS waiting`,
  { waiting: 'boolean' },
);

export async function hasMessages(db: Pick<Tx, 'queryRunner'>): Promise<boolean> {
  const [row] = await execute(db, HAS_MESSAGES, []);
  return row?.waiting === true;
}

export const CLAIM_LIMIT = 500;

const CLAIM = prepared(
  'outbox-claim',
  `WITH due AS (SELECT id FROM outbox WHERE $1::text IS NULL OR queue <> $1
                ORDER BY id LIMIT ${CLAIM_LIMIT} FOR UPDATE SKIP LOCKED),
        gone AS (DELETE FROM outbox o WHERE o.id <= (SELECT id FROM due ORDER BY id DESC LIMIT 1)
                   AND ${isIn('o.id', 'due')} RETURNING o.id, o.queue, o.payload)
   SELECT id, queue, payload FROM gone ORDER BY id`,
  {
    ...columns(OutboxEntity, 'id'),
    queue: narrowColumn<QueueName>(column(OutboxEntity, 'queue')),
    payload: narrowColumn<JobPayload>(column(OutboxEntity, 'payload')),
  },
);

/** Claims the oldest messages of all queues but `held`. */
export const claimMessages = (tx: Tx, held: QueueName | null): Promise<OutboxRow[]> =>
  execute(tx, CLAIM, [held]);
