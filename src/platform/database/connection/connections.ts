import type pg from 'pg';
import { DataSource } from 'typeorm';
import { requireWritable, targetsOf, writableTarget } from './with-client.js';

/** An open connection, as `ConnectionWatch` sees it. */
export interface WatchedConnection {
  /** URL of the host. */
  readonly target: string;
  /** Time at which data last arrived from the server, on the clock of `performance.now()`. */
  readonly heardAt: number;
  /** True if no statement runs and no transaction is open. */
  readonly isIdle: boolean;
  /** Closes the connection immediately. A waiting statement fails with ETIMEDOUT. */
  giveUp(): void;
}

/** Rejects if this process must not use the connection. */
export type ConnectionCheck = (client: pg.Client) => Promise<void>;

/**
 * The open connections of a process, and the host for new connections. A URL may name several hosts, of which one at a
 * time accepts writes: `postgres://user:password@one:5432,two:5432/vigia?target_session_attrs=read-write`.
 */
export class Connections {
  /** One URL per host. */
  private readonly targets: readonly string[];
  private readonly openConnections = new Set<WatchedConnection>();
  private targetIndex = 0;
  /** Time at which the server last reported a full disk, on the clock of `performance.now()`. */
  fullAt = Number.NEGATIVE_INFINITY;

  private readonly checks: ConnectionCheck[] = [];

  constructor(
    url: string,
    private readonly connectTimeoutMs: number,
  ) {
    this.targets = targetsOf(url);
    // With several hosts, any host may be a standby.
    if (this.hasSeveral) this.addCheck(requireWritable);
  }

  get target(): string {
    return this.targets[this.targetIndex] ?? '';
  }

  get hasSeveral(): boolean {
    return this.targets.length > 1;
  }

  /** Adds a check that each new connection must pass before its use. */
  addCheck(check: ConnectionCheck): void {
    this.checks.push(check);
  }

  /** Runs the checks on a new connection; rejects if one fails. */
  async runChecks(client: pg.Client): Promise<void> {
    for (const check of this.checks) await check(client);
  }

  recordOpened(connection: WatchedConnection): void {
    this.openConnections.add(connection);
  }

  recordClosed(connection: WatchedConnection): void {
    this.openConnections.delete(connection);
  }

  /**
   * Directs new connections to the host that accepts writes. A host has `timeoutMs` to answer. Throws NoWritableHostError
   * if there are several hosts and none accepts writes.
   */
  async find(timeoutMs = this.connectTimeoutMs): Promise<void> {
    this.targetIndex = this.targets.indexOf(await writableTarget(this.targets, timeoutMs));
  }

  /** Closes idle connections: the next caller must connect, and gets an error soon if the database does not answer. */
  closeIdle(): void {
    for (const connection of this.openConnections) if (connection.isIdle) connection.giveUp();
  }

  /** Closes connections that have received nothing since `since`, and connections to other hosts than the current host. */
  closeStale(since: number): void {
    for (const connection of this.openConnections) {
      if (connection.target !== this.target || connection.heardAt < since) connection.giveUp();
    }
  }
}

/** A data source that looks for the host that takes writes before it connects. */
export class WritableDataSource extends DataSource {
  override async initialize(): Promise<this> {
    await (this.options.extra as { readonly connections: Connections }).connections.find();
    return super.initialize();
  }
}
