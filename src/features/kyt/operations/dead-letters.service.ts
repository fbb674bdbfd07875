import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../audit/index.js';
import { system, UnitOfWork } from '../../../platform/database/index.js';
import { Clock } from '../../../platform/kernel/index.js';
import { Outbox } from '../../../platform/queue/index.js';
import type { DeadLetterRecord } from '../domain/dead-letter.js';
import { DeadLetterRepository } from '../store/work/dead-letter.repository.js';

/** Lists and replays dead letters of all organisations, for the command line. */
@Injectable()
export class DeadLettersService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly deadLetters: DeadLetterRepository,
    private readonly audit: AuditTrail,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
  ) {}

  listAll(limit: number): Promise<DeadLetterRecord[]> {
    return this.uow.read(system('kyt.dead-letters'), (db) =>
      this.deadLetters.listOfAllOrganisations(db, limit),
    );
  }

  /** Queues a transaction again, with its history and new attempts; false if it is not a dead letter. */
  async replay(transactionRef: string, actor: string): Promise<boolean> {
    const occurredAt = new Date(this.clock.now());
    return this.uow.run(system('kyt.dead-letters'), async (tx) => {
      const [revived] = await this.deadLetters.replay(tx, [transactionRef]);
      if (!revived) return false;
      await this.audit.record(tx, {
        subject: { organisationId: revived.organisationId, type: 'transaction', id: transactionRef },
        action: 'transaction.replayed',
        actor: { type: 'operator', id: actor },
        requestId: null,
        correlationId: null,
        occurredAt,
        content: { generation: revived.generation },
      });
      this.outbox.append(tx, 'kyt.pipeline', [transactionRef]);
      return true;
    });
  }
}
