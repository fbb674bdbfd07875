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
// Nobody decides by the second whether a secret is still in use; a write a minute costs nothing.
const WRITE_EVERY_MS = 60_000;
const MAX_REMEMBERED = 20_000;

/** Remembers when secrets were used and writes it down about once a minute, outside of any request. */
@Injectable()
export class ClientUsageService {
  private readonly uses = new Map<string, Use>();

  constructor(private readonly uow: UnitOfWork) {}

  /** On every request: nothing but a number in memory. */
  note(secret: UsedSecret): void {
    const use = this.uses.get(secret.id);
    if (use) use.lastAt = Date.now();
    else if (this.uses.size < MAX_REMEMBERED) {
      this.uses.set(secret.id, { secret, lastAt: Date.now(), writtenAt: Number.NEGATIVE_INFINITY });
    }
  }

  /** Writes the times of use of secrets for which that was not done within the last minute. */
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
