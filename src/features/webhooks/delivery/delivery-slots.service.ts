import { Injectable } from '@nestjs/common';
import { Settings } from '../../../platform/config/index.js';
import { QueueTransport } from '../../../platform/queue/index.js';
import { Periodic } from '../../../platform/schedule/index.js';

const CHECK_INTERVAL_MS = 250;
// Number of waiting jobs from which evaluation counts as behind: a single job may just not have been fetched yet.
const BEHIND_JOBS = 2;
const CLAIM_BATCH = 200;
// The limits while evaluation is behind. They are above zero so that every endpoint still gets deliveries.
const PLACES_BEHIND = 2;
const CLAIM_BATCH_BEHIND = 4;

/**
 * Limits how many deliveries are in flight in this process, and lowers the limit while evaluation is behind: an event
 * can wait for minutes, a transaction without an evaluation cannot.
 */
@Injectable()
export class DeliverySlotsService {
  private isBehind = false;
  /** True if a limit was read since the last check. Without deliveries no limit is read, and the queue is not asked. */
  private isLimitRead = false;

  constructor(
    private readonly settings: Settings,
    private readonly queue: QueueTransport,
  ) {}

  get places(): number {
    this.isLimitRead = true;
    return this.isBehind ? PLACES_BEHIND : this.settings.webhookConcurrency;
  }

  get claimBatch(): number {
    this.isLimitRead = true;
    return this.isBehind ? CLAIM_BATCH_BEHIND : CLAIM_BATCH;
  }

  /** Checks whether evaluation is behind. While the queue cannot be read, the normal limits apply. */
  @Periodic({
    everyMs: CHECK_INTERVAL_MS,
    otherwise: 'deliveries give way to nobody',
    runsIn: 'every process',
  })
  async checkBacklog(): Promise<void> {
    if (!this.isLimitRead) return;
    this.isLimitRead = false;
    try {
      this.isBehind = (await this.queue.countWaiting('kyt.pipeline')) >= BEHIND_JOBS;
    } catch (error) {
      this.isBehind = false;
      throw error;
    }
  }
}
