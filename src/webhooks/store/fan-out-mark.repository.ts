import { Injectable } from '@nestjs/common';
import { execute, type Tx } from '../../database/index.js';

/** A span of time in the database's own notation: a Date would cut its microseconds. */
export interface Span {
  readonly since: string;
  readonly until: string;
  /** True when the span ends before what could be looked at. */
  readonly behind: boolean;
}

// An event has its time when it is inserted and is seen when it is committed; no transaction lasts this long.
const COMMIT_LAG_SECONDS = 60;

/** Up to when every event is known to have its deliveries. */
@Injectable()
export class FanOutMarkRepository {
  /** The span after the mark that is settled, at most `seconds` of it. */
  async nextSpan(tx: Tx, seconds: number): Promise<Span> {
    const text = `
      SELECT checked_until::text AS since, least(settled, checked_until + make_interval(secs => $1))::text AS until,
             checked_until + make_interval(secs => $1) < settled AS behind
      FROM webhook_fan_out, (SELECT now() - make_interval(secs => $2) AS settled) AS s`;
    return one(await execute<Span>(tx, { text }, [seconds, COMMIT_LAG_SECONDS]));
  }

  /** Everything after the mark until now, at most the last `seconds` of it. */
  async recentSpan(tx: Tx, seconds: number): Promise<Span> {
    const text = `
      SELECT greatest(checked_until, now() - make_interval(secs => $1))::text AS since, now()::text AS until,
             checked_until < now() - make_interval(secs => $1) AS behind
      FROM webhook_fan_out`;
    return one(await execute<Span>(tx, { text }, [seconds]));
  }

  /** Moves the mark; it never goes back. */
  async advance(tx: Tx, until: string): Promise<void> {
    const text = `UPDATE webhook_fan_out SET checked_until = $1::timestamptz WHERE checked_until < $1::timestamptz`;
    await execute(tx, { text }, [until]);
  }
}

function one(rows: readonly Span[]): Span {
  const [row] = rows;
  if (!row) throw new Error('webhook_fan_out has lost its row');
  return row;
}
