import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';

// Hashing, sealing and writing a megabyte takes about 10 ms of the event loop, which ingest shares: this much is a sixth
// of it. Forty files of 10 MiB still arrive within the 30 s that a request may take.
const BYTES_PER_SECOND = 16 * 1_024 * 1_024;
// A single photo is taken as fast as it comes.
const BURST_BYTES = 4 * 1_024 * 1_024;
const BURST_MS = (BURST_BYTES / BYTES_PER_SECOND) * 1_000;

/** Holds the uploads of this process together to a rate; senders feel it as a slower network. */
@Injectable()
export class IntakePace {
  /** When all that was let through so far would have come at the rate. */
  private dueAt = 0;

  async spend(bytes: number): Promise<void> {
    const now = performance.now();
    this.dueAt = Math.max(this.dueAt, now - BURST_MS) + (bytes / BYTES_PER_SECOND) * 1_000;
    const waitMs = this.dueAt - now;
    if (waitMs > 1) await sleep(waitMs);
  }
}
