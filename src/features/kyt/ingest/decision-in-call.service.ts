import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { isDatabaseAway } from '../../../platform/database/index.js';
import type { ReadBackTransaction } from '../domain/reading/read-back.js';
import { KytMetrics } from '../kyt-metrics.js';
import { ReadBack } from '../operations/read-back.service.js';
import { TransactionQueries } from '../store/reading/transaction.queries.js';
import { DecisionWaits } from './decision-waits.js';
import type { Receipt } from './ingest.service.js';

// How late a decision of another process is noticed at most.
const LOOK_EVERY_MS = 25;
const PAUSE_AFTER_FAILURE_MS = 1_000;

/** Gives callers who wait the decision about what they submitted. */
@Injectable()
export class DecisionInCall implements OnModuleDestroy {
  private readonly logger = new Logger(DecisionInCall.name);
  private looking = false;

  constructor(
    private readonly waits: DecisionWaits,
    private readonly transactions: TransactionQueries,
    private readonly readBack: ReadBack,
    private readonly metrics: KytMetrics,
  ) {}

  /** A process that stops acknowledges what it accepted, and holds up nobody. */
  onModuleDestroy(): void {
    this.waits.close();
  }

  /** The submission as it reads once its evaluation is committed; null when the caller's time is over before that. */
  async of(
    owner: { readonly organisationId: string },
    receipt: Receipt,
    over: AbortSignal,
  ): Promise<ReadBackTransaction | null> {
    const decided = await this.isDecided(receipt, over);
    this.metrics.waits.inc({ decided: String(decided) });
    if (!decided) return null;
    try {
      return await this.readBack.decided(owner.organisationId, receipt.ref);
    } catch (error) {
      // It is stored: an error would say less than the receipt.
      if (isDatabaseAway(error)) return null;
      throw error;
    }
  }

  private async isDecided({ ref, status }: Receipt, over: AbortSignal): Promise<boolean> {
    if (status === 'COMPLETED') return true;
    if (status === 'DEAD_LETTERED') return false;
    const decided = this.waits.until(ref, over);
    void this.look();
    return decided;
  }

  /** While somebody waits for another process, asks for all of them at once what was committed; else costs nothing. */
  private async look(): Promise<void> {
    if (this.looking) return;
    this.looking = true;
    for (let pauseMs = LOOK_EVERY_MS; this.waits.size > 0;) {
      await sleep(pauseMs, undefined, { ref: false });
      try {
        this.waits.settle(await this.transactions.evaluated(this.waits.elsewhere()));
        pauseMs = LOOK_EVERY_MS;
      } catch (error) {
        // Who waits is told by this process, or in the next round, or that it was accepted.
        this.logger.warn(
          `decisions not looked for: ${error instanceof Error ? error.name : 'unknown error'}`,
        );
        pauseMs = PAUSE_AFTER_FAILURE_MS;
      }
    }
    this.looking = false;
  }
}
