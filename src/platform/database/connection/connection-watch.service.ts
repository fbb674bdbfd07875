import {
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { Settings } from '../../config/index.js';
import { WorkLoop } from '../../kernel/index.js';
import { sqlStateOf } from '../work/database-errors.js';
import type { ConnectionCheck, Connections } from './connections.js';
import { PROCESS_NAME } from './process-name.js';
import { ReconnectingClient } from './reconnecting-client.js';

interface PoolState {
  readonly used: number;
  readonly idle: number;
  readonly waiting: number;
}

/** Why the database cannot be used now. */
export type DatabaseTrouble = 'database' | 'database-read-only';

// A look every second, and an answer within two: a network that drops packets is noticed within three.
const LOOK_MS = 1_000;
const ANSWER_MS = 2_000;
// After so long without any answer, statements that still wait for one are ended.
const HOPE_MS = 5_000;
// While the database is away, so that its return is noticed soon.
const AWAY_LOOK_MS = 250;
// Every worker writes more often than this, so that a disk that is still full is reported again.
const FULL_MS = 15_000;

/**
 * Asks the database every second, over a connection of its own, whether it is there and takes writes. A network that
 * drops packets breaks no connection, so nobody else would find out before the limit of a statement. While it is
 * away idle connections are ended; when it is back, so are those that heard nothing meanwhile: their packets may be lost.
 */
@Injectable()
export class ConnectionWatch implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('Database');
  private readonly loop = new WorkLoop(() => this.round());
  private readonly connections: Connections;
  private probe: { readonly client: pg.Client; readonly target: string } | null = null;
  private found: DatabaseTrouble | null = null;
  private awaySince = 0;
  private poolSeen: PoolState | null = null;

  constructor(
    private readonly source: DataSource,
    private readonly settings: Settings,
  ) {
    this.connections = (source.options.extra as { readonly connections: Connections }).connections;
  }

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.loop.stop();
    this.drop();
  }

  /** Adds a check that each new connection of this process must pass before its use. */
  require(check: ConnectionCheck): void {
    this.connections.require(check);
  }

  /** Null when the last look found nothing wrong. */
  get trouble(): DatabaseTrouble | null {
    return this.found;
  }

  /** True when a write was refused lately because the disk of the database is full. */
  get isFull(): boolean {
    return performance.now() - this.connections.fullAt < FULL_MS;
  }

  /** Connections and waiting callers of the pool at the last look: a scrape itself takes connections. */
  get pool(): PoolState | null {
    return this.poolSeen;
  }

  private lookAtPool(): PoolState {
    const { totalCount, idleCount, waitingCount } = (
      this.source.driver as unknown as { readonly master: pg.Pool }
    ).master;
    return { used: totalCount - idleCount, idle: idleCount, waiting: waitingCount };
  }

  private async round(): Promise<number> {
    this.poolSeen = this.lookAtPool();
    const begun = performance.now();
    const { target } = this.connections;
    try {
      const trouble = (await this.isWritable(target)) ? null : 'database-read-only';
      if (trouble === null) this.back();
      else this.away(trouble, begun, target);
    } catch (error) {
      this.drop();
      this.away('database', begun, target, sqlStateOf(error));
    }
    return this.found === null ? LOOK_MS : AWAY_LOOK_MS;
  }

  private async isWritable(target: string): Promise<boolean> {
    if (this.probe?.target !== target) this.drop();
    const client = this.probe?.client ?? (await this.connect(target));
    const { rows } = await inTime(
      client.query<{ writable: boolean }>(
        `SELECT NOT pg_is_in_recovery() AND current_setting('default_transaction_read_only') = 'off' AS writable`,
      ),
    );
    return rows[0]?.writable === true;
  }

  private async connect(target: string): Promise<pg.Client> {
    const client = new ReconnectingClient({
      connectionString: target,
      connectionTimeoutMillis: Math.min(ANSWER_MS, this.settings.databaseConnectTimeoutMs),
      application_name: `${PROCESS_NAME} watch`,
      keepAlive: true,
    });
    this.probe = { client, target };
    await inTime(client.connect());
    return client;
  }

  private away(trouble: DatabaseTrouble, since: number, target: string, code?: string): void {
    if (this.found === null) {
      this.awaySince = since;
      this.logger.error(`the database is away: ${trouble}, ${code ?? 'no answer in time'}`);
    }
    this.found = trouble;
    this.connections.endIdle();
    if (trouble === 'database' && performance.now() - this.awaySince > HOPE_MS) {
      this.connections.endSilent(this.awaySince);
    }
    this.connections.leave(target);
  }

  private back(): void {
    if (this.found === null) return;
    this.found = null;
    this.connections.endSilent(this.awaySince);
    this.logger.log('the database is back');
  }

  private drop(): void {
    const client = this.probe?.client as (pg.Client & Wired) | undefined;
    this.probe = null;
    client?.connection.stream.destroy();
  }
}

interface Wired {
  readonly connection: { readonly stream: { destroy(): void } };
}

async function inTime<T>(promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      // A process that was busy itself first reads the answers that came meanwhile.
      setImmediate(() => {
        reject(new Error('timeout exceeded when trying to connect'));
      });
    }, ANSWER_MS);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
    promise.catch(() => undefined);
  }
}
