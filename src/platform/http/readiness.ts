import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { ConnectionWatch, isMigrated, noOrganisation, UnitOfWork, type Reader } from '../database/index.js';
import { outboxState, QueueTransport } from '../queue/index.js';

// Probes give up sooner than a statement does.
const ANSWER_MS = 2_000;
// A message that waits longer than this needs somebody to look at it.
const OUTBOX_SECONDS = 30;

/** Tells whether this process can do its work now. */
@Injectable()
export class Readiness {
  private draining = false;
  private outboxSeconds = 0;
  private readonly watched = new Map<string, () => boolean>();

  constructor(
    private readonly uow: UnitOfWork,
    private readonly transport: QueueTransport,
    private readonly connections: ConnectionWatch,
  ) {}

  /** Registers something whose absence degrades the service without making it unavailable. */
  watch(name: string, isAway: () => boolean): void {
    this.watched.set(name, isAway);
  }

  /** Makes the process answer that it is not ready, so that a balancer sends requests elsewhere. */
  drain(): void {
    this.draining = true;
  }

  async check(): Promise<{ degraded: string[]; unavailable: string[] }> {
    const [database, transport] = await Promise.all([this.database(), this.transport.trouble()]);
    return {
      degraded: [
        ...(transport === null ? [] : [transport]),
        ...(this.connections.isFull ? ['disk-full'] : []),
        ...(this.outboxSeconds > OUTBOX_SECONDS ? ['outbox'] : []),
        ...[...this.watched].filter(([, isAway]) => isAway()).map(([name]) => name),
      ],
      unavailable: [...(this.draining ? ['draining'] : []), ...database],
    };
  }

  private async look(db: Reader): Promise<boolean> {
    const migrated = await isMigrated(db);
    if (migrated) this.outboxSeconds = (await outboxState(db)).oldestSeconds;
    return migrated;
  }

  private async database(): Promise<string[]> {
    const { trouble } = this.connections;
    if (trouble !== null) return [trouble];
    try {
      const migrated = await Promise.race([
        this.uow.read(noOrganisation, (db) => this.look(db)),
        sleep(ANSWER_MS, null, { ref: false }),
      ]);
      if (migrated === null) return ['database'];
      return migrated ? [] : ['migrations'];
    } catch {
      return ['database']; // whatever the reason, the database did not answer; its own log says why
    }
  }
}
