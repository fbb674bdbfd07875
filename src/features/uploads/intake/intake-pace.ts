import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';

// Parsing, hashing, sealing, writing and reading back a megabyte takes about 10 ms of the event loop, which ingest shares:
// this rate takes a twelfth of it. Twenty files of 10 MiB at once arrive within half a minute.
const BYTES_PER_SECOND = 8 * 1_024 * 1_024;
// A single photo is taken as fast as it comes.
const BURST_BYTES = 4 * 1_024 * 1_024;
const BURST_MS = (BURST_BYTES / BYTES_PER_SECOND) * 1_000;

/** Limits the rate of all uploads of this process together; senders see a slower network. */
@Injectable()
export class UploadPace {
  /** The time (ms, by `performance.now`) at which all bytes so far would have arrived at the rate. */
  private dueAt = 0;

  async spend(bytes: number): Promise<void> {
    const now = performance.now();
    this.dueAt = Math.max(this.dueAt, now - BURST_MS) + (bytes / BYTES_PER_SECOND) * 1_000;
    const waitMs = this.dueAt - now;
    if (waitMs > 1) await sleep(waitMs);
  }
}
