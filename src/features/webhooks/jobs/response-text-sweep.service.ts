import { Injectable } from '@nestjs/common';
import { system, UnitOfWork } from '../../../platform/database/index.js';
import { Periodic } from '../../../platform/schedule/index.js';
import { deleteOldExcerpts, MAX_FORGOTTEN_ANSWERS } from '../store/attempt.statements.js';

const HOUR_MS = 3_600_000;

/** Deletes the response excerpts of receivers after 30 days. The attempts and their statuses stay. */
@Injectable()
export class ResponseTextSweepService {
  constructor(private readonly uow: UnitOfWork) {}

  @Periodic({ everyMs: HOUR_MS, otherwise: 'old answers of receivers stay', runsIn: 'workers' })
  async sweep(): Promise<void> {
    for (let forgotten = MAX_FORGOTTEN_ANSWERS; forgotten === MAX_FORGOTTEN_ANSWERS;) {
      forgotten = await this.uow.run(system('webhooks.answers-sweep'), deleteOldExcerpts);
    }
  }
}
