import { Injectable } from '@nestjs/common';
import { afterCommit, execute, type Tx } from '../database/index.js';
import { newUuid } from '../kernel/index.js';
import type { QueueName } from './queues.js';
import { RelaySignal } from './relay-signal.js';

const APPEND = {
  name: 'outbox-append',
  text: `INSERT INTO outbox (id, queue, payload) VALUES ($1, $2, $3)`,
};

/** Where work for a queue is written in the same commit as what it is about; the relay carries it to the queue. */
@Injectable()
export class Outbox {
  constructor(private readonly signal: RelaySignal) {}

  /** Appends one message about all these rows. One row for a whole batch, so its cost is shared. */
  async append(tx: Tx, queue: QueueName, refs: readonly string[]): Promise<void> {
    if (refs.length === 0) return;
    await execute(tx, APPEND, [newUuid(), queue, JSON.stringify({ refs })]);
    afterCommit(tx, () => {
      this.signal.poke();
    });
  }
}
