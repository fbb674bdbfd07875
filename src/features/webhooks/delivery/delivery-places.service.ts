import { Injectable } from '@nestjs/common';
import { Settings } from '../../../platform/config/index.js';
import { QueueTransport } from '../../../platform/queue/index.js';
import { Periodic } from '../../../platform/schedule/index.js';

const LOOK_MS = 250;
// One job may be on its way to a worker; a second one waits because no worker has come for it.
const BEHIND_JOBS = 2;
const CLAIM_BATCH = 200;
// While evaluation is behind. A receiver still hears something, and a lane is never left for dead.
const PLACES_BEHIND = 2;
const CLAIM_BATCH_BEHIND = 4;

/**
 * How many deliveries may be under way. They give way to evaluation while it is behind: what was missed by a receiver can
 * wait for minutes, a transaction that nobody has judged cannot.
 */
@Injectable()
export class DeliveryPlacesService {
  private isBehind = false;

  constructor(
    private readonly settings: Settings,
    private readonly queue: QueueTransport,
  ) {}

  get places(): number {
    return this.isBehind ? PLACES_BEHIND : this.settings.webhookConcurrency;
  }

  get claimBatch(): number {
    return this.isBehind ? CLAIM_BATCH_BEHIND : CLAIM_BATCH;
  }

  /** A queue that does not answer has nothing to give way to. */
  @Periodic({ everyMs: LOOK_MS, otherwise: 'deliveries give way to nobody', runsIn: 'every process' })
  async look(): Promise<void> {
    try {
      this.isBehind = (await this.queue.waiting('kyt.pipeline')) >= BEHIND_JOBS;
    } catch (error) {
      this.isBehind = false;
      throw error;
    }
  }
}
