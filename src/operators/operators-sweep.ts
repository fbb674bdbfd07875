import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Settings } from '../config/index.js';
import { system, UnitOfWork } from '../database/index.js';

const SWEEP_MS = 10 * 60_000;

// A session that is over stays for a month, for whoever asks when an account was used; the trail keeps it for good.
const STATEMENTS = [
  `DELETE FROM operator_sessions WHERE id IN (
     SELECT id FROM operator_sessions WHERE expires_at < now() - interval '30 days' LIMIT 5000)`,
  `DELETE FROM operator_devices WHERE expires_at < now()`,
  `DELETE FROM operator_oidc_logins WHERE expires_at < now()`,
  `DELETE FROM operator_login_throttles
   WHERE last_failure_at < now() - interval '2 days' AND blocked_until < now()`,
];

/** Removes what no login needs any more. */
@Injectable()
export class OperatorsSweep implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(OperatorsSweep.name);
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly uow: UnitOfWork,
    private readonly settings: Settings,
  ) {}

  onApplicationBootstrap(): void {
    if (this.settings.role === 'api') return;
    this.timer = setInterval(() => {
      this.sweep().catch((error: unknown) => {
        this.logger.warn(`old logins stay: ${error instanceof Error ? error.name : 'unknown error'}`);
      });
    }, SWEEP_MS);
    this.timer.unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  async sweep(): Promise<void> {
    for (const statement of STATEMENTS) {
      await this.uow.run(system('operators.sweep'), (tx) => tx.query(statement));
    }
  }
}
