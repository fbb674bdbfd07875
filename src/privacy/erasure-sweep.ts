import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Settings } from '../config/index.js';
import { system, UnitOfWork } from '../database/index.js';
import { SubjectKeys } from './subject-keys.js';

// A key waits two minutes for its destruction; half a minute more or less is nothing to the person it is about.
const SWEEP_MS = 30_000;

/** Destroys the data keys whose erasure was requested, once no process can still be sealing under them. */
@Injectable()
export class ErasureSweep implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(ErasureSweep.name);
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly uow: UnitOfWork,
    private readonly keys: SubjectKeys,
    private readonly settings: Settings,
  ) {}

  onApplicationBootstrap(): void {
    if (this.settings.role === 'api') return;
    this.timer = setInterval(() => {
      this.sweep().catch((error: unknown) => {
        this.logger.warn(`erasures wait: ${error instanceof Error ? error.name : 'unknown error'}`);
      });
    }, SWEEP_MS);
    this.timer.unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  private async sweep(): Promise<void> {
    const destroyed = await this.uow.run(system('privacy.erasure'), (tx) => this.keys.destroyRequested(tx));
    if (destroyed > 0) this.logger.log(`${destroyed} data keys destroyed on request`);
  }
}
