import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { QueueTransport } from '../queue/index.js';

/** Whether this process can do its work now. */
@Injectable()
export class Readiness implements OnModuleInit {
  private draining = false;
  private expected: string | undefined;

  constructor(
    private readonly source: DataSource,
    private readonly transport: QueueTransport,
  ) {}

  onModuleInit(): void {
    this.expected = this.source.migrations.at(-1)?.name;
  }

  /** From now on the process answers that it is not ready, so that a balancer sends requests elsewhere. */
  drain(): void {
    this.draining = true;
  }

  async check(): Promise<{ degraded: string[]; unavailable: string[] }> {
    const [database, transport] = await Promise.all([this.database(), this.transport.isUp()]);
    return {
      degraded: transport ? [] : ['redis'],
      unavailable: [...(this.draining ? ['draining'] : []), ...database],
    };
  }

  private async database(): Promise<string[]> {
    try {
      const rows: { name: string }[] = await this.source.query(
        'SELECT name FROM schema_migrations ORDER BY id DESC LIMIT 1',
      );
      return rows[0]?.name === this.expected ? [] : ['migrations'];
    } catch {
      return ['database']; // whatever the reason, the database did not answer; its own log says why
    }
  }
}
