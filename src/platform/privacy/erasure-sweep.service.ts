import { Injectable, Logger } from '@nestjs/common';
import { system, UnitOfWork } from '../database/index.js';
import { Periodic } from '../schedule/index.js';
import { SubjectKeys } from './subject-keys.js';

// A key waits two minutes for its destruction; half a minute more or less is nothing to the person it is about.
const SWEEP_MS = 30_000;

/** Destroys the data keys whose erasure was requested, once no process can still be sealing under them. */
@Injectable()
export class ErasureSweep {
  private readonly logger = new Logger(ErasureSweep.name);

  constructor(
    private readonly uow: UnitOfWork,
    private readonly keys: SubjectKeys,
  ) {}

  @Periodic({ everyMs: SWEEP_MS, otherwise: 'erasures wait', runsIn: 'workers' })
  async sweep(): Promise<void> {
    const destroyed = await this.uow.run(system('privacy.erasure'), (tx) => this.keys.destroyRequested(tx));
    if (destroyed > 0) this.logger.log(`${destroyed} data keys destroyed on request`);
  }
}
