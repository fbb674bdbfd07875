import { Injectable } from '@nestjs/common';
import { system, UnitOfWork } from '../../database/index.js';
import { Periodic } from '../../schedule/index.js';
import { deleteExpired } from '../store/idempotency-key.statements.js';

// Keys expire after 24 hours; deleting them a few minutes late does no harm.
const SWEEP_MS = 5 * 60_000;

@Injectable()
export class IdempotencySweep {
  constructor(private readonly uow: UnitOfWork) {}

  @Periodic({ everyMs: SWEEP_MS, otherwise: 'old keys stay', runsIn: 'workers' })
  async sweep(): Promise<void> {
    await this.uow.run(system('http.idempotency-sweep'), deleteExpired);
  }
}
