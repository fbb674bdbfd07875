import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Settings } from '../config/index.js';
import { system, UnitOfWork } from '../database/index.js';
import { IdempotencyKeys } from './idempotency-keys.js';

// Keys live for a day; a few minutes more or less are nothing to anybody.
const SWEEP_MS = 5 * 60_000;

/** Removes idempotency keys whose day is over. */
@Injectable()
export class IdempotencySweep implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(IdempotencySweep.name);
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly uow: UnitOfWork,
    private readonly keys: IdempotencyKeys,
    private readonly settings: Settings,
  ) {}

  onApplicationBootstrap(): void {
    if (this.settings.role === 'api') return;
    this.timer = setInterval(() => {
      this.uow
        .run(system('http.idempotency-sweep'), (tx) => this.keys.sweep(tx))
        .catch((error: unknown) => {
          this.logger.warn(`old keys stay: ${error instanceof Error ? error.name : 'unknown error'}`);
        });
    }, SWEEP_MS);
    this.timer.unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }
}
