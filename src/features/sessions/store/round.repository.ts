import { Injectable } from '@nestjs/common';
import { UnitOfWork, type Tx } from '../../../platform/database/index.js';
import { SessionRoundEntity } from './entities.js';

/** Reads resubmission rounds. */
@Injectable()
export class RoundRepository {
  constructor(private readonly uow: UnitOfWork) {}

  async find(organisationId: string, sessionId: string, round: number): Promise<SessionRoundEntity | null> {
    return this.uow.read(organisationId, (db) =>
      db.findOneBy(SessionRoundEntity, { organisationId, sessionId, round }),
    );
  }

  /** All rounds of a session, the oldest first. */
  async listBySession(organisationId: string, sessionId: string): Promise<SessionRoundEntity[]> {
    return this.uow.read(organisationId, (db) =>
      db.find(SessionRoundEntity, { where: { organisationId, sessionId }, order: { round: 'ASC' } }),
    );
  }

  async insert(tx: Tx, row: SessionRoundEntity): Promise<void> {
    await tx.insert(SessionRoundEntity, row);
  }
}
