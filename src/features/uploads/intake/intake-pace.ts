import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';

// Parsing, hashing, encrypting, writing and reading back 1 MB takes about 10 ms of the event loop, which ingest shares:
// this rate uses a twelfth of it. Twenty concurrent uploads of 10 MiB arrive within 30 s.
const BYTES_PER_SECOND = 8 * 1_024 * 1_024;
// Bytes received at full speed after a pause, so that a single photo does not wait.
const BURST_BYTES = 4 * 1_024 * 1_024;
const BURST_MS = (BURST_BYTES / BYTES_PER_SECOND) * 1_000;

/** Limits the total rate of all uploads of this process; to senders it looks like a slower network. */
@Injectable()
export class UploadPace {
  /** Limiter state: the `performance.now()` time at which all bytes so far would have arrived at BYTES_PER_SECOND. */
  private dueAt = 0;

  async spend(bytes: number): Promise<void> {
    const now = performance.now();
    this.dueAt = Math.max(this.dueAt, now - BURST_MS) + (bytes / BYTES_PER_SECOND) * 1_000;
    const waitMs = this.dueAt - now;
    if (waitMs > 1) await sleep(waitMs);
  }
}
