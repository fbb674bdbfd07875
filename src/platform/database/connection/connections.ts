import type pg from 'pg';

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
  private readonly open = new Set<WatchedConnection>();
  private at = 0;
  /** Time at which the server last reported a full disk, on the clock of `performance.now()`. */
  fullAt = Number.NEGATIVE_INFINITY;

  private readonly checks: ConnectionCheck[] = [];

  constructor(url: string) {
    this.targets = targetsOf(url);
    // With several hosts, any host may be a standby.
    if (this.hasSeveral) this.addCheck(requireWritable);
  }

  get target(): string {
    return this.targets[this.at] ?? '';
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
    this.open.add(connection);
  }

  recordClosed(connection: WatchedConnection): void {
    this.open.delete(connection);
  }

  /** Directs new connections to the next host, because `target` does not answer or accepts no writes. */
  switchFrom(target: string): void {
    if (target === this.target) this.at = (this.at + 1) % this.targets.length;
  }

  /** Closes idle connections: the next caller must connect, and gets an error soon if the database does not answer. */
  closeIdle(): void {
    for (const connection of this.open) if (connection.isIdle) connection.giveUp();
  }

  /** Closes connections that have received nothing since `since`, and connections to other hosts than the current host. */
  closeStale(since: number): void {
    for (const connection of this.open) {
      if (connection.target !== this.target || connection.heardAt < since) connection.giveUp();
    }
  }
}

const SEVERAL = /^(postgres(?:ql)?:\/\/(?:[^@/?]*@)?)([^/?@]+)(.*)$/;

export function targetsOf(url: string): readonly string[] {
  const [, before, hosts, after] = SEVERAL.exec(url) ?? [];
  if (before === undefined || hosts === undefined || after === undefined) return [url];
  const rest = after.replace(
    /([?&])target_session_attrs=read-write(&|$)/,
    (_, first: string, last: string) => (last === '&' ? first : ''),
  );
  return hosts.split(',').map((host) => `${before}${host}${rest}`);
}

/** Rejects a connection to a standby, which would refuse the first write. */
async function requireWritable(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ on: boolean }>('SELECT pg_is_in_recovery() AS on');
  if (rows[0]?.on !== false) throw Object.assign(new Error('this host takes no writes'), { code: '25006' });
}
