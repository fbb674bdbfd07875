import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { isDatabaseUnavailable } from '../../../platform/database/index.js';
import type { ReadBackTransaction } from '../domain/reading/read-back.js';
import { KytMetrics } from '../kyt-metrics.js';
import { TransactionReadService } from '../operations/transaction-read.service.js';
import { TransactionQueries } from '../store/reading/transaction.queries.js';
import { PendingDecisions } from './pending-decisions.js';
import type { Receipt } from './ingest.service.js';

// The longest delay until a decision of another process is noticed.
const POLL_EVERY_MS = 25;
const PAUSE_AFTER_FAILURE_MS = 1_000;

/** Answers waiting callers with the decision about their submission. */
@Injectable()
export class DecisionWaitService implements OnModuleDestroy {
  private readonly logger = new Logger(DecisionWaitService.name);
  private isPolling = false;

  constructor(
    private readonly pendingDecisions: PendingDecisions,
    private readonly transactions: TransactionQueries,
    private readonly readBack: TransactionReadService,
    private readonly metrics: KytMetrics,
  ) {}

  /** Ends all waits, so that a stopping process answers with receipts immediately. */
  onModuleDestroy(): void {
    this.pendingDecisions.close();
  }

  /** Returns the evaluated transaction once its evaluation is committed; null if `over` aborts first. */
  async waitForDecision(
    owner: { readonly organisationId: string },
    receipt: Receipt,
    over: AbortSignal,
  ): Promise<ReadBackTransaction | null> {
    const decided = await this.waitUntilDecided(receipt, over);
    this.metrics.waits.inc({ decided: String(decided) });
    if (!decided) return null;
    try {
      return await this.readBack.readByRef(owner.organisationId, receipt.ref);
    } catch (error) {
      // The submission is stored, so its receipt is a better answer than an error.
      if (isDatabaseUnavailable(error)) return null;
      throw error;
    }
  }

  /** Returns true once the transaction is decided, false if `over` aborts first or it is a dead letter. */
  private async waitUntilDecided({ ref, status }: Receipt, over: AbortSignal): Promise<boolean> {
    if (status === 'COMPLETED') return true;
    if (status === 'DEAD_LETTERED') return false;
    const decided = this.pendingDecisions.wait(ref, over);
    void this.pollWhileWaited();
    return decided;
  }

  /** While callers wait, polls for decisions of other processes in one query for all of them. */
  private async pollWhileWaited(): Promise<void> {
    if (this.isPolling) return;
    this.isPolling = true;
    for (let pauseMs = POLL_EVERY_MS; this.pendingDecisions.size > 0;) {
      await sleep(pauseMs, undefined, { ref: false });
      try {
        this.pendingDecisions.resolve(
          await this.transactions.findEvaluated(this.pendingDecisions.findRemotelyPending()),
        );
        pauseMs = POLL_EVERY_MS;
      } catch (error) {
        // No caller loses an answer: the next poll may find the decision; otherwise the receipt is the answer.
        this.logger.warn(
          `decisions not looked for: ${error instanceof Error ? error.name : 'unknown error'}`,
        );
        pauseMs = PAUSE_AFTER_FAILURE_MS;
      }
    }
    this.isPolling = false;
  }
}
