import type pg from 'pg';

/** An open connection, as far as it matters to those that watch over all of them. */
export interface WatchedConnection {
  /** Where it leads. */
  readonly target: string;
  /** When the server was last heard on it; on the clock of `performance.now()`. */
  readonly heardAt: number;
  /** True when it carries neither a statement nor a transaction. */
  readonly isIdle: boolean;
  /** Ends it at once: whoever waits on it hears that the database is away. */
  giveUp(): void;
}

/** Rejects when nobody of this process is to use the connection. */
export type ConnectionCheck = (client: pg.Client) => Promise<void>;

/**
 * The connections of a process to its database, and where new ones lead. A URL may name several hosts, of which one at a
 * time takes writes: `postgres://user:password@one:5432,two:5432/vigia?target_session_attrs=read-write`.
 */
export class Connections {
  /** One URL per host. */
  private readonly targets: readonly string[];
  private readonly open = new Set<WatchedConnection>();
  private at = 0;
  /** When the server last said that its disk is full; on the clock of `performance.now()`. */
  fullAt = Number.NEGATIVE_INFINITY;

  private readonly checks: ConnectionCheck[] = [];

  constructor(url: string) {
    this.targets = targetsOf(url);
    // There is a choice.
    if (this.hasSeveral) this.require(requireWritable);
  }

  get target(): string {
    return this.targets[this.at] ?? '';
  }

  get hasSeveral(): boolean {
    return this.targets.length > 1;
  }

  /** From now on each new connection has to pass this as well before anybody gets it. */
  require(check: ConnectionCheck): void {
    this.checks.push(check);
  }

  /** Rejects a new connection that nobody is to get. */
  async admit(client: pg.Client): Promise<void> {
    for (const check of this.checks) await check(client);
  }

  opened(connection: WatchedConnection): void {
    this.open.add(connection);
  }

  closed(connection: WatchedConnection): void {
    this.open.delete(connection);
  }

  /** This host does not answer or takes no writes: new connections go to the next one. */
  leave(target: string): void {
    if (target === this.target) this.at = (this.at + 1) % this.targets.length;
  }

  /** Ends what carries nothing, so that who needs a connection finds out now whether there is one. */
  endIdle(): void {
    for (const connection of this.open) if (connection.isIdle) connection.giveUp();
  }

  /** Ends what was not heard since then, and what leads to a host that takes no writes any more. */
  endSilent(since: number): void {
    for (const connection of this.open) {
      if (connection.target !== this.target || connection.heardAt < since) connection.giveUp();
    }
  }
}

const SEVERAL = /^(postgres(?:ql)?:\/\/(?:[^@/?]*@)?)([^/?@]+)(.*)$/;

/** The URLs of each host that a URL names, or that URL itself. */
export function targetsOf(url: string): readonly string[] {
  const [, before, hosts, after] = SEVERAL.exec(url) ?? [];
  if (before === undefined || hosts === undefined || after === undefined) return [url];
  const rest = after.replace(
    /([?&])target_session_attrs=read-write(&|$)/,
    (_, first: string, last: string) => (last === '&' ? first : ''),
  );
  return hosts.split(',').map((host) => `${before}${host}${rest}`);
}

/** Passes a connection that takes writes; one of a standby would refuse the first of them. */
async function requireWritable(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ on: boolean }>('SELECT pg_is_in_recovery() AS on');
  if (rows[0]?.on !== false) throw Object.assign(new Error('this host takes no writes'), { code: '25006' });
}
