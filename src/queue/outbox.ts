import { Injectable } from '@nestjs/common';
import { afterCommit, beforeCommit, execute, sqlArray, type Clause, type Tx } from '../database/index.js';
import { newUuid } from '../kernel/index.js';
import type { QueueName } from './queues.js';
import { RelaySignal } from './relay-signal.js';

interface Message {
  readonly queue: QueueName;
  readonly refs: readonly string[];
}

const APPEND = {
  name: 'outbox-append',
  text: `INSERT INTO outbox (id, queue, payload)
         SELECT id, queue, payload::jsonb FROM unnest($1::uuid[], $2::text[], $3::text[]) AS m (id, queue, payload)`,
};

/** Where work for a queue is written in the same commit as what it is about; the relay carries it to the queue. */
@Injectable()
export class Outbox {
  private readonly open = new WeakMap<Tx, Message[]>();

  constructor(private readonly signal: RelaySignal) {}

  /**
   * Adds one message about all these rows, so that a batch shares its cost. The messages of a transaction are
   * written together at its end.
   */
  append(tx: Tx, queue: QueueName, refs: readonly string[]): void {
    if (refs.length === 0) return;
    const messages = this.open.get(tx);
    if (messages) messages.push({ queue, refs });
    else this.begin(tx, { queue, refs });
  }

  /** As `clause`, about those of the returned rows that are among these; null when these are none. */
  clauseAmong(name: string, queue: QueueName, from: string, refs: readonly string[]): Clause | null {
    if (refs.length === 0) return null;
    return {
      name,
      text: `INSERT INTO outbox (id, queue, payload)
             SELECT $1::uuid, $2::text, jsonb_build_object('refs', jsonb_agg(id))
             FROM ${from} WHERE id = ANY($3::uuid[]) HAVING count(*) > 0`,
      values: [newUuid(), queue, sqlArray.uuids(refs)],
    };
  }

  /** As `append`, for a composite statement: one message about all rows that another clause returned as `id`. */
  clause(name: string, queue: QueueName, from: string): Clause {
    return {
      name,
      text: `INSERT INTO outbox (id, queue, payload)
             SELECT $1::uuid, $2::text, jsonb_build_object('refs', jsonb_agg(id)) FROM ${from} HAVING count(*) > 0`,
      values: [newUuid(), queue],
    };
  }

  /** Wakes the relay after a composite statement that held a message. */
  announce(): void {
    this.signal.poke();
  }

  private begin(tx: Tx, first: Message): void {
    const messages = [first];
    this.open.set(tx, messages);
    beforeCommit(tx, async () => {
      await execute(tx, APPEND, [
        sqlArray.plain(messages.map(() => newUuid())),
        sqlArray.plain(messages.map((message) => message.queue)),
        sqlArray.text(messages.map(({ refs }) => JSON.stringify({ refs }))),
      ]);
    });
    afterCommit(tx, () => {
      this.signal.poke();
    });
  }
}
