import { Injectable } from '@nestjs/common';
import type { Tx } from '../../database/index.js';
import { Outbox } from '../../queue/index.js';
import type { SessionRow } from '../domain/records.js';
import { StepUpRepository } from '../store/step-up.repository.js';

/** Tells the transactions that asked for a session that it is over, however it ended, in the commit of its end. */
@Injectable()
export class SessionEnds {
  constructor(
    private readonly outbox: Outbox,
    private readonly stepUps: StepUpRepository,
  ) {}

  async tell(tx: Tx, { organisationId, id }: Pick<SessionRow, 'organisationId' | 'id'>): Promise<void> {
    this.handOver(tx, id, await this.stepUps.announce(tx, organisationId, id));
  }

  /** Its outcome is another one now: those who were told already are told again. */
  async tellAgain(tx: Tx, { organisationId, id }: Pick<SessionRow, 'organisationId' | 'id'>): Promise<void> {
    this.handOver(tx, id, await this.stepUps.announceAgain(tx, organisationId, id));
  }

  private handOver(tx: Tx, sessionId: string, askers: number): void {
    if (askers > 0) this.outbox.append(tx, 'kyt.step-up-finished', [sessionId]);
  }
}
