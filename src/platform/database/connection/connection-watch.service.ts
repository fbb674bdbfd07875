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
import { ReconnectingClient } from './reconnecting-client.js';
import { PROCESS_NAME, SessionRefusedError, type SessionSettings } from './session-settings.js';
import { isWritable } from './with-client.js';

interface PoolState {
  readonly used: number;
  readonly idle: number;
  readonly waiting: number;
}

/** The options of the pool by `appConnectionOptions`, as far as the watch needs them. */
interface PoolExtra {
  readonly connections: Connections;
  readonly session: SessionSettings;
}

/** Why the database cannot be used now. */
export type DatabaseFault = 'database' | 'database-read-only' | 'database-session';

// A probe every second, to be answered within two: a network that drops packets is noticed within three seconds.
const PROBE_MS = 1_000;
const ANSWER_MS = 2_000;
// After this time without an answer to a probe, waiting statements fail.
const GIVE_UP_MS = 5_000;
// The probe interval while the database is unavailable: shorter, to notice its return soon.
const AWAY_PROBE_MS = 250;
// How long a report of a full disk is valid. Workers write more often than this, so a disk that is still full is
// reported again in time.
const FULL_MS = 15_000;

/**
 * Probes every second, on a separate connection, whether the database answers and accepts writes. A network that drops
 * packets breaks no connection, so without a probe only the timeout of a statement would show it. While the database
 * is unavailable, idle connections are closed. When it is available again, connections that received nothing meanwhile
 * are closed, because their packets may be lost.
 */
@Injectable()
export class ConnectionWatch implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('Database');
  private readonly loop = new WorkLoop(() => this.probeOnce());
  private readonly connections: Connections;
  private readonly session: SessionSettings;
  private probe: { readonly client: pg.Client; readonly target: string } | null = null;
  private currentFault: DatabaseFault | null = null;
  private awaySince = 0;
  private lastPoolState: PoolState | null = null;

  constructor(
    private readonly source: DataSource,
    private readonly settings: Settings,
  ) {
    const { connections, session } = source.options.extra as PoolExtra;
    this.connections = connections;
    this.session = session;
  }

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.loop.stop();
    this.dropProbe();
  }

  /** Adds a check that each new connection of this process must pass before its use. */
  addCheck(check: ConnectionCheck): void {
    this.connections.addCheck(check);
  }

  /** The result of the last probe; null if the database is usable. */
  get trouble(): DatabaseFault | null {
    return this.currentFault;
  }

  /** True if the server has refused a write in the last 15 s because its disk is full. */
  get isFull(): boolean {
    return performance.now() - this.connections.fullAt < FULL_MS;
  }

  /** The state of the pool at the last probe. It is not read at a scrape of metrics, which itself takes connections. */
  get pool(): PoolState | null {
    return this.lastPoolState;
  }

  private get connectMs(): number {
    return Math.min(ANSWER_MS, this.settings.databaseConnectTimeoutMs);
  }

  private readPoolState(): PoolState {
    const { totalCount, idleCount, waitingCount } = (
      this.source.driver as unknown as { readonly master: pg.Pool }
    ).master;
    return { used: totalCount - idleCount, idle: idleCount, waiting: waitingCount };
  }

  private async probeOnce(): Promise<number> {
    this.lastPoolState = this.readPoolState();
    const startedAt = performance.now();
    const { target } = this.connections;
    try {
      const trouble = (await this.isWritable(target)) ? null : 'database-read-only';
      if (trouble === null) this.recordReturn();
      else await this.recordFault(trouble, startedAt);
    } catch (error) {
      this.dropProbe();
      if (error instanceof SessionRefusedError) {
        await this.recordFault('database-session', startedAt, error.message);
      } else await this.recordFault('database', startedAt, sqlStateOf(error));
    }
    return this.currentFault === null ? PROBE_MS : AWAY_PROBE_MS;
  }

  private async isWritable(target: string): Promise<boolean> {
    if (this.probe?.target !== target) this.dropProbe();
    const client = this.probe?.client ?? (await this.connect(target));
    return withinAnswerTime(isWritable(client));
  }

  private async connect(target: string): Promise<pg.Client> {
    const client = new ReconnectingClient({
      connectionString: target,
      connectionTimeoutMillis: this.connectMs,
      session: { ...this.session, application_name: `${PROCESS_NAME} watch` },
      keepAlive: true,
    });
    this.probe = { client, target };
    await withinAnswerTime(client.connect());
    return client;
  }

  private async recordFault(trouble: DatabaseFault, since: number, reason?: string): Promise<void> {
    if (this.currentFault === null) this.awaySince = since;
    if (this.currentFault !== trouble) {
      this.logger.error(`the database is away: ${trouble}, ${reason ?? 'no answer in time'}`);
    }
    this.currentFault = trouble;
    this.connections.closeIdle();
    if (trouble === 'database' && performance.now() - this.awaySince > GIVE_UP_MS) {
      this.connections.closeStale(this.awaySince);
    }
    // If no host accepts writes, the next round searches again.
    await this.connections.find(this.connectMs).catch(() => undefined);
  }

  private recordReturn(): void {
    if (this.currentFault === null) return;
    this.currentFault = null;
    this.connections.closeStale(this.awaySince);
    this.logger.log('the database is back');
  }

  private dropProbe(): void {
    const client = this.probe?.client;
    this.probe = null;
    client?.connection.stream.destroy();
  }
}

async function withinAnswerTime<T>(promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      // If this process itself was blocked, it first reads the answers that have arrived meanwhile.
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
