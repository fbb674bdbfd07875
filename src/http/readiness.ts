import { Injectable } from '@nestjs/common';
import { isMigrated, noOrganisation, UnitOfWork } from '../database/index.js';
import { QueueTransport } from '../queue/index.js';

/** Whether this process can do its work now. */
@Injectable()
export class Readiness {
  private draining = false;
  private readonly watched = new Map<string, () => boolean>();

  constructor(
    private readonly uow: UnitOfWork,
    private readonly transport: QueueTransport,
  ) {}

  /** Registers something whose absence degrades the service without making it unavailable. */
  watch(name: string, isAway: () => boolean): void {
    this.watched.set(name, isAway);
  }

  /** From now on the process answers that it is not ready, so that a balancer sends requests elsewhere. */
  drain(): void {
    this.draining = true;
  }

  async check(): Promise<{ degraded: string[]; unavailable: string[] }> {
    const [database, transport] = await Promise.all([this.database(), this.transport.isUp()]);
    return {
      degraded: [
        ...(transport ? [] : ['redis']),
        ...[...this.watched].filter(([, isAway]) => isAway()).map(([name]) => name),
      ],
      unavailable: [...(this.draining ? ['draining'] : []), ...database],
    };
  }

  private async database(): Promise<string[]> {
    try {
      return (await this.uow.read(noOrganisation, isMigrated)) ? [] : ['migrations'];
    } catch {
      return ['database']; // whatever the reason, the database did not answer; its own log says why
    }
  }
}
