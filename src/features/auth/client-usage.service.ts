import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../platform/database/index.js';
import { Periodic } from '../../platform/schedule/index.js';
import { writeUses, type UsedSecret } from './store/client.statements.js';

interface Use {
  readonly secret: UsedSecret;
  lastAt: number;
  writtenAt: number;
}

const FLUSH_MS = 5_000;
// Interval of the writes: operators need the time of the last use only to the minute.
const WRITE_EVERY_MS = 60_000;
const MAX_REMEMBERED = 20_000;

/** Records the last use of secrets in memory and writes it once a minute, outside of any request. */
@Injectable()
export class ClientUsageService {
  private readonly uses = new Map<string, Use>();

  constructor(private readonly uow: UnitOfWork) {}

  /** Records a use in memory only, because this runs on every request. */
  recordUse(secret: UsedSecret): void {
    const use = this.uses.get(secret.id);
    if (use) use.lastAt = Date.now();
    else if (this.uses.size < MAX_REMEMBERED) {
      this.uses.set(secret.id, { secret, lastAt: Date.now(), writtenAt: Number.NEGATIVE_INFINITY });
    }
  }

  /** Writes the last use of secrets that were last written more than a minute ago. */
  @Periodic({ everyMs: FLUSH_MS, otherwise: 'times of use wait', runsIn: 'every process' })
  async flush(): Promise<void> {
    const now = Date.now();
    const due = [...this.uses.values()].filter(
      (use) => use.lastAt > use.writtenAt && now - use.writtenAt >= WRITE_EVERY_MS,
    );
    for (const [id, use] of this.uses) {
      if (use.lastAt <= use.writtenAt && now - use.writtenAt >= WRITE_EVERY_MS) this.uses.delete(id);
    }
    if (due.length === 0) return;
    const organisations = [...new Set(due.map(({ secret }) => secret.organisationId))];
    await this.uow.run(organisations, (tx) =>
      writeUses(
        tx,
        due.map(({ secret, lastAt }) => ({ ...secret, usedAt: new Date(lastAt) })),
      ),
    );
    for (const use of due) use.writtenAt = now;
  }
}
