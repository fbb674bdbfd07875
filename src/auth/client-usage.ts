import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { UnitOfWork } from '../database/index.js';

/** A secret that just proved who is calling. */
export interface UsedSecret {
  readonly id: string;
  readonly clientAppId: string;
  readonly organisationId: string;
}

interface Use {
  readonly secret: UsedSecret;
  lastAt: number;
  writtenAt: number;
}

const FLUSH_MS = 5_000;
// Nobody decides by the second whether a secret is still in use; a write a minute costs nothing.
const WRITE_EVERY_MS = 60_000;
const MAX_REMEMBERED = 20_000;

/** Remembers when secrets were used and writes it down about once a minute, outside of any request. */
@Injectable()
export class ClientUsage implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(ClientUsage.name);
  private readonly uses = new Map<string, Use>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly uow: UnitOfWork) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      this.flush().catch((error: unknown) => {
        this.logger.warn(`times of use wait: ${error instanceof Error ? error.name : 'unknown error'}`);
      });
    }, FLUSH_MS);
    this.timer.unref();
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
  }

  /** On every request: nothing but a number in memory. */
  note(secret: UsedSecret): void {
    const use = this.uses.get(secret.id);
    if (use) use.lastAt = Date.now();
    else if (this.uses.size < MAX_REMEMBERED) {
      this.uses.set(secret.id, { secret, lastAt: Date.now(), writtenAt: Number.NEGATIVE_INFINITY });
    }
  }

  /** Writes the times of use of secrets for which that was not done within the last minute. */
  async flush(): Promise<void> {
    const now = Date.now();
    const due = [...this.uses.values()].filter(
      (use) => use.lastAt > use.writtenAt && now - use.writtenAt >= WRITE_EVERY_MS,
    );
    for (const [id, use] of this.uses) {
      if (use.lastAt <= use.writtenAt && now - use.writtenAt >= WRITE_EVERY_MS) this.uses.delete(id);
    }
    if (due.length === 0) return;
    const secrets = due.map(({ secret }) => secret);
    const organisations = [...new Set(secrets.map(({ organisationId }) => organisationId))];
    await this.uow.run(organisations, (tx) =>
      tx.query(WRITE, [
        secrets.map(({ id }) => id),
        secrets.map(({ clientAppId }) => clientAppId),
        due.map(({ lastAt }) => new Date(lastAt).toISOString()),
      ]),
    );
    for (const use of due) use.writtenAt = now;
  }
}

// Several processes see the same secrets: whoever comes first within a minute writes.
const WRITE = `
  WITH used AS (
    SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) AS u (secret_id, app_id, at)),
  secrets AS (
    UPDATE client_secrets s SET last_used_at = u.at FROM used u
    WHERE s.id = u.secret_id AND (s.last_used_at IS NULL OR s.last_used_at < u.at - interval '55 seconds'))
  UPDATE client_apps a SET last_used_at = u.at
  FROM (SELECT app_id, max(at) AS at FROM used GROUP BY app_id ORDER BY app_id) u
  WHERE a.id = u.app_id AND (a.last_used_at IS NULL OR a.last_used_at < u.at - interval '55 seconds')`;
