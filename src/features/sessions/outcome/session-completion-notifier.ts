import { Injectable } from '@nestjs/common';
import { IsNull, type FindOptionsWhere } from 'typeorm';
import type { Tx } from '../../../platform/database/index.js';
import { Outbox } from '../../../platform/queue/index.js';
import type { SessionRow } from '../domain/records.js';
import { SessionTransactionEntity } from '../store/entities.js';

/** Notifies the transactions that requested a session of its end, in the same commit. */
@Injectable()
export class SessionCompletionNotifier {
  constructor(private readonly outbox: Outbox) {}

  async notify(tx: Tx, session: Pick<SessionRow, 'organisationId' | 'id'>): Promise<void> {
    await this.announce(tx, session, { reEvaluatedAt: IsNull() });
  }

  /** Notifies all transactions that requested the session again, because its outcome has changed. */
  async renotify(tx: Tx, session: Pick<SessionRow, 'organisationId' | 'id'>): Promise<void> {
    await this.announce(tx, session, {});
  }

  private async announce(
    tx: Tx,
    { organisationId, id: sessionId }: Pick<SessionRow, 'organisationId' | 'id'>,
    which: FindOptionsWhere<SessionTransactionEntity>,
  ): Promise<void> {
    const { affected } = await tx.update(
      SessionTransactionEntity,
      { organisationId, sessionId, ...which },
      { announcedAt: () => 'clock_timestamp()', reEvaluatedAt: null },
    );
    if (affected) this.outbox.append(tx, 'kyt.step-up-finished', [sessionId]);
  }
}
