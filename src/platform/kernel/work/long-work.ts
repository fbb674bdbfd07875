import { readFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { HeapGuard } from './heap-guard.js';

const PRESSURE_FILE = '/proc/pressure/cpu';
const LOOK_MS = 500;

// Somebody waits for a processor for more than a fifth of the time.
const CROWDED = 0.2;
// Then the long work of an organisation gets a quarter of one processor, and two seconds of it at once.
const SHARE = 0.25;
const AT_ONCE_MS = 2_000;
// A lease has to be renewed in between; the remaining rest follows next time.
const LONGEST_REST_MS = 1_000;

/** Measures the share of the last moments in which something on this machine waited for a processor: 0 to 1. */
export class ConcurrentWork {
  private share = 0;
  private total: number | null = null;
  private lookedAt = Number.NEGATIVE_INFINITY;

  now(): number {
    const now = performance.now();
    const passed = now - this.lookedAt;
    if (passed < LOOK_MS) return this.share;
    this.lookedAt = now;
    const total = stalledMs();
    if (total === null) this.share = Math.max(0, (loadavg()[0] ?? 0) / availableParallelism() - 1);
    else if (this.total !== null) this.share = (total - this.total) / passed;
    this.total = total;
    return this.share;
  }
}

/** Milliseconds since the machine started in which something waited for a processor; null if it does not tell. */
function stalledMs(): number | null {
  try {
    const [, microseconds] = /^some .*total=(\d+)/m.exec(readFileSync(PRESSURE_FILE, 'utf8')) ?? [];
    return microseconds === undefined ? null : Number(microseconds) / 1_000;
  } catch {
    return null;
  }
}

interface Account {
  /** Milliseconds of work; below zero it owes rest. */
  credit: number;
  at: number;
}

/** The time that the long work of each organisation in this process may still take. */
export class LongWork {
  private readonly accounts = new Map<string, Account>();

  constructor(private readonly crowd: Pick<ConcurrentWork, 'now'> = new ConcurrentWork()) {}

  /** Charges finished work; returns the milliseconds that the organisation has to rest now. */
  charge(organisationId: string, workedMs: number, now = performance.now()): number {
    const account = this.accountOf(organisationId, now);
    // Work is free while nothing waits for a processor.
    if (this.crowd.now() > CROWDED) account.credit -= workedMs;
    return account.credit < 0 ? Math.min(-account.credit / SHARE, LONGEST_REST_MS) : 0;
  }

  private accountOf(organisationId: string, now: number): Account {
    let account = this.accounts.get(organisationId);
    if (!account) this.accounts.set(organisationId, (account = { credit: AT_ONCE_MS, at: now }));
    account.credit = Math.min(AT_ONCE_MS, account.credit + (now - account.at) * SHARE);
    account.at = now;
    return account;
  }
}

/** The accounts of this process. */
export const longWork = new LongWork();

/**
 * Paces long work for one organisation, such as an export. While processors are idle it runs at full speed; otherwise it
 * rests after each step, so that all such work of the organisation takes a quarter of one processor.
 */
export class RestSchedule {
  private since = performance.now();

  constructor(
    private readonly organisationId: string,
    private readonly work = longWork,
  ) {}

  /** To be awaited between two steps. */
  async rest(): Promise<void> {
    const ms = this.work.charge(this.organisationId, performance.now() - this.since);
    if (ms > 0) await sleep(ms);
    this.since = performance.now();
  }
}

/** Yields the same pages with rests between them, and bounds the garbage of used pages. */
export async function* withRests<Page>(
  organisationId: string,
  pages: AsyncIterable<Page>,
): AsyncGenerator<Page> {
  const rests = new RestSchedule(organisationId);
  const garbage = new HeapGuard('old');
  for await (const page of pages) {
    yield page;
    garbage.check();
    await rests.rest();
  }
}
