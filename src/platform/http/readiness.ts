import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { ConnectionWatch, isMigrated, noOrganisation, UnitOfWork, type Reader } from '../database/index.js';
import { outboxState, QueueTransport } from '../queue/index.js';

// The timeout for the database, because probes have shorter timeouts than statements.
const ANSWER_MS = 2_000;
// If the oldest message in the outbox waits longer, the process reports itself as degraded.
const OUTBOX_SECONDS = 30;

/** Reports whether this process can do its work now. */
@Injectable()
export class Readiness {
  private isDraining = false;
  private outboxSeconds = 0;
  private requiredSteps: readonly string[] = [];
  private readonly awaitedNames = new Set<string>();
  private readonly watchedDependencies = new Map<string, () => boolean>();

  constructor(
    private readonly uow: UnitOfWork,
    private readonly transport: QueueTransport,
    private readonly connectionWatch: ConnectionWatch,
  ) {}

  /** Names the steps of the schema without which this process is not ready. */
  requireSchema(steps: readonly string[]): void {
    this.requiredSteps = steps;
  }

  /** Registers a dependency whose failure degrades the service without making it unavailable. */
  watch(name: string, isAway: () => boolean): void {
    this.watchedDependencies.set(name, isAway);
  }

  /** Makes the process answer that it is not ready until `end` settles. */
  await(name: string, end: Promise<void>): void {
    this.awaitedNames.add(name);
    const remove = (): boolean => this.awaitedNames.delete(name);
    end.then(remove, remove);
  }

  /** Makes the process answer that it is not ready, so that a balancer sends requests elsewhere. */
  drain(): void {
    this.isDraining = true;
  }

  async check(): Promise<{ degraded: string[]; unavailable: string[] }> {
    const [database, transport] = await Promise.all([this.databaseFaults(), this.transport.findFault()]);
    return {
      degraded: [
        ...(transport === null ? [] : [transport]),
        ...(this.connectionWatch.isFull ? ['disk-full'] : []),
        ...(this.outboxSeconds > OUTBOX_SECONDS ? ['outbox'] : []),
        ...[...this.watchedDependencies].filter(([, isAway]) => isAway()).map(([name]) => name),
      ],
      unavailable: [...(this.isDraining ? ['draining'] : []), ...this.awaitedNames, ...database],
    };
  }

  private async checkSchema(db: Reader): Promise<boolean> {
    const migrated = await isMigrated(db, this.requiredSteps);
    if (migrated) this.outboxSeconds = (await outboxState(db)).oldestSeconds;
    return migrated;
  }

  private async databaseFaults(): Promise<string[]> {
    const { trouble } = this.connectionWatch;
    if (trouble !== null) return [trouble];
    try {
      const migrated = await Promise.race([
        this.uow.read(noOrganisation, (db) => this.checkSchema(db)),
        sleep(ANSWER_MS, null, { ref: false }),
      ]);
      if (migrated === null) return ['database'];
      return migrated ? [] : ['migrations'];
    } catch {
      return ['database']; // the database did not answer; its own log has the reason
    }
  }
}
