import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Clock } from '../../kernel/index.js';
import { Periodic } from '../../schedule/index.js';

// A quartz clock drifts by milliseconds in this time; a clock that somebody resets is noticed within this time.
const RESYNC_MS = 15_000;

/**
 * The clock of the database, stored as an offset to the local clock: a host whose clock is wrong by days must not refuse
 * transactions for a time in the future, nor write wrong times into events. Leases and expiries use `now()` in SQL.
 */
@Injectable()
export class DatabaseClock extends Clock implements OnModuleInit {
  private offsetMs = 0;

  constructor(private readonly source: DataSource) {
    super();
  }

  now(): number {
    return Date.now() + this.offsetMs;
  }

  async onModuleInit(): Promise<void> {
    await this.resync();
  }

  /** Measures the offset again. While the database is unavailable, the last offset remains in use. */
  @Periodic({ everyMs: RESYNC_MS, otherwise: 'the clock is not compared', runsIn: 'every process' })
  async resync(): Promise<void> {
    const sentAt = Date.now();
    const rows: { now: string }[] = await this.source.query(
      `SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now`,
    );
    const received = Date.now();
    const offset = Number(rows[0]?.now) - (sentAt + received) / 2;
    // A difference below the round-trip time is noise, not skew.
    this.offsetMs = Math.abs(offset) > Math.max(50, received - sentAt) ? Math.round(offset) : 0;
  }
}
