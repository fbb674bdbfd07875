import { Injectable, Logger } from '@nestjs/common';
import { system, UnitOfWork } from '../database/index.js';
import { Periodic } from '../schedule/index.js';
import { SubjectKeys } from './subject-keys.js';

// An erased key is destroyed after two minutes; 30 s more make no difference to the person.
const SWEEP_MS = 30_000;

/** Destroys the data keys whose erasure was requested, once no process can still be encrypting with them. */
@Injectable()
export class ErasureSweep {
  private readonly logger = new Logger(ErasureSweep.name);

  constructor(
    private readonly uow: UnitOfWork,
    private readonly subjectKeys: SubjectKeys,
  ) {}

  @Periodic({ everyMs: SWEEP_MS, otherwise: 'erasures wait', runsIn: 'workers' })
  async sweep(): Promise<void> {
    const destroyed = await this.uow.run(system('privacy.erasure'), (tx) =>
      this.subjectKeys.destroyRequested(tx),
    );
    if (destroyed > 0) this.logger.log(`${destroyed} data keys destroyed on request`);
  }
}
