import { readFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { HeapGuard } from './heap-guard.js';

const PRESSURE_FILE = '/proc/pressure/cpu';
const MEASURE_MS = 500;

// The machine counts as crowded if a thread waits for a processor for more than a fifth of the time.
const CROWDED_SHARE = 0.2;
// On a crowded machine, the long work of one organisation gets a quarter of a processor, after 2 s at full speed.
const SHARE = 0.25;
const MAX_CREDIT_MS = 2_000;
// The caller must renew its lease between rests. The remainder of a longer rest is added to the next rest.
const LONGEST_REST_MS = 1_000;

/** Measures how crowded the machine is: the recent share of time in which a thread waited for a processor, 0 to 1. */
export class CpuPressure {
  private share = 0;
  private stalledTotalMs: number | null = null;
  private lookedAt = Number.NEGATIVE_INFINITY;

  now(): number {
    const now = performance.now();
    const passed = now - this.lookedAt;
    if (passed < MEASURE_MS) return this.share;
    this.lookedAt = now;
    const total = stalledMs();
    if (total === null) this.share = Math.max(0, (loadavg()[0] ?? 0) / availableParallelism() - 1);
    else if (this.stalledTotalMs !== null) this.share = (total - this.stalledTotalMs) / passed;
    this.stalledTotalMs = total;
    return this.share;
  }
}

/** Returns the ms since boot in which a thread waited for a processor; null if the kernel does not report it. */
function stalledMs(): number | null {
  try {
    const [, microseconds] = /^some .*total=(\d+)/m.exec(readFileSync(PRESSURE_FILE, 'utf8')) ?? [];
    return microseconds === undefined ? null : Number(microseconds) / 1_000;
  } catch {
    return null;
  }
}

interface Account {
  /** Milliseconds of work that are still allowed. A negative value must be compensated by rest. */
  credit: number;
  at: number;
}

/** Accounts for the processor time that long work of each organisation may use in this process. */
export class CpuBudget {
  private readonly accounts = new Map<string, Account>();

  constructor(private readonly cpuPressure: Pick<CpuPressure, 'now'> = new CpuPressure()) {}

  /** Charges finished work. Returns how long (ms) the organisation must rest now. */
  charge(organisationId: string, workedMs: number, now = performance.now()): number {
    const account = this.accountOf(organisationId, now);
    // An idle processor costs nobody anything, so work is free then.
    if (this.cpuPressure.now() > CROWDED_SHARE) account.credit -= workedMs;
    return account.credit < 0 ? Math.min(-account.credit / SHARE, LONGEST_REST_MS) : 0;
  }

  private accountOf(organisationId: string, now: number): Account {
    let account = this.accounts.get(organisationId);
    if (!account) this.accounts.set(organisationId, (account = { credit: MAX_CREDIT_MS, at: now }));
    account.credit = Math.min(MAX_CREDIT_MS, account.credit + (now - account.at) * SHARE);
    account.at = now;
    return account;
  }
}

export const longWork = new CpuBudget();

/**
 * Paces long work for one organisation, such as an export. It runs at full speed while processors are idle. On a
 * crowded machine it rests after each step, so that all long work of the organisation uses a quarter of one processor.
 */
export class WorkThrottle {
  private workedSince = performance.now();

  constructor(
    private readonly organisationId: string,
    private readonly work = longWork,
  ) {}

  /** Rests as long as the work requires. Await this between two steps. */
  async rest(): Promise<void> {
    const ms = this.work.charge(this.organisationId, performance.now() - this.workedSince);
    if (ms > 0) await sleep(ms);
    this.workedSince = performance.now();
  }
}

/** Yields the same pages, rests between them, and bounds their garbage. */
export async function* throttlePages<Page>(
  organisationId: string,
  pages: AsyncIterable<Page>,
): AsyncGenerator<Page> {
  const throttle = new WorkThrottle(organisationId);
  const garbage = new HeapGuard('old');
  for await (const page of pages) {
    yield page;
    garbage.check();
    await throttle.rest();
  }
}
