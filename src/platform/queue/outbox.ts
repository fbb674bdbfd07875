import { Injectable } from '@nestjs/common';
import { afterCommit, beforeCommit, type Tx } from '../database/index.js';
import { newUuid } from '../kernel/index.js';
import type { QueueName } from './queues.js';
import { RelaySignal } from './relay-signal.js';
import { appendMessages } from './store/outbox.statements.js';

interface Message {
  readonly queue: QueueName;
  readonly refs: readonly string[];
}

/** Writes messages for a queue in the commit of the rows they refer to; the relay sends them to the queue. */
@Injectable()
export class Outbox {
  private readonly pendingMessages = new WeakMap<Tx, Message[]>();

  constructor(private readonly relaySignal: RelaySignal) {}

  /**
   * Adds one message that refers to all these rows. All messages of a transaction are written by one statement at its end.
   */
  append(tx: Tx, queue: QueueName, refs: readonly string[]): void {
    if (refs.length === 0) return;
    const messages = this.pendingMessages.get(tx);
    if (messages) messages.push({ queue, refs });
    else this.beginMessages(tx, { queue, refs });
  }

  /** Wakes the relay after the commit of a composite statement that contained a message. */
  announce(): void {
    this.relaySignal.wake();
  }

  private beginMessages(tx: Tx, first: Message): void {
    const messages = [first];
    this.pendingMessages.set(tx, messages);
    beforeCommit(tx, async () => {
      await appendMessages(
        tx,
        messages.map(({ queue, refs }) => ({ id: newUuid(), queue, refs })),
      );
    });
    afterCommit(tx, () => {
      this.relaySignal.wake();
    });
  }
}
