import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import { Settings } from '../../../platform/config/index.js';
import { ClientGate, type ClientPrincipal } from '../../../platform/http/index.js';
import { SearchIndexService } from '../../screening/index.js';
import { finalEventSequence } from '../domain/claimed.js';
import { FactCollector } from '../facts/fact-collector.js';
import { IngestBatcher } from '../ingest/ingest-batcher.js';
import { MadeUpIntakeService } from './made-up-intake.service.js';
import { EvaluationWriter } from '../pipeline/evaluation-writer.js';
import { EvaluationService, firstEvaluationTrigger } from '../pipeline/evaluation.service.js';
import { PipelineService } from '../pipeline/pipeline.service.js';

// Maximum number of transactions: a small machine makes about as many in the five seconds that a warm-up has by
// default; a fast machine is ready sooner.
const MAX_TRANSACTIONS = 1_000;
// Sizes of the batches: at a low rate transactions come alone; a few together compile the loops.
const BATCH_SIZES = [1, 1, 4] as const;
// Number of batches at a time: more than one, because each connection of the pool plans its statements itself.
const CONCURRENT = 4;
// The roles that accept or evaluate transactions.
const ROLES: ReadonlySet<string> = new Set(['all', 'api', 'worker', 'evaluator']);

/**
 * Runs made-up transactions through ingest and evaluation before the process answers that it is ready. Until the engine
 * has compiled the code and each connection has planned its statements, a transaction takes ten times as long, and at
 * 200 a second the next ones wait for it. The facts are collected as for a dry run, and what stores the transactions is
 * rolled back. The process accepts requests meanwhile; the first work that it gets ends the warm-up.
 */
@Injectable()
export class WarmUpService implements BeforeApplicationShutdown {
  private readonly logger = new Logger(WarmUpService.name);
  private readonly stopController = new AbortController();
  private running: Promise<void> = Promise.resolve();
  private endsAt = 0;
  private madeCount = 0;

  constructor(
    private readonly settings: Settings,
    private readonly clientGate: ClientGate,
    private readonly searchIndex: SearchIndexService,
    private readonly madeUpIntake: MadeUpIntakeService,
    private readonly batcher: IngestBatcher,
    private readonly factCollector: FactCollector,
    private readonly evaluator: EvaluationService,
    private readonly writer: EvaluationWriter,
    private readonly pipeline: PipelineService,
  ) {}

  /** Warms up for at most WARM_UP_MS. Never rejects: a process that is not warm is better than none. */
  start(): Promise<void> {
    const { role, warmUpMs } = this.settings;
    if (ROLES.has(role) && warmUpMs > 0) this.running = this.run();
    return this.running;
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopController.abort();
    await this.running;
  }

  private async run(): Promise<void> {
    try {
      // Without an application nobody can send a transaction, and none can be made up.
      const client = await this.clientGate.findLastUsed();
      if (!client) return;
      // Screening would wait for its lists longer than a process may be unready.
      const hasLists = await this.waitForLists();
      if (this.stopController.signal.aborted) return;
      if (!hasLists) {
        this.logger.warn('the process starts cold: the lists are not loaded');
        return;
      }
      this.endsAt = performance.now() + this.settings.warmUpMs;
      await Promise.all(Array.from({ length: CONCURRENT }, () => this.acceptBatches(client)));
    } catch (error) {
      // The other batches end, too.
      this.endsAt = 0;
      this.logger.warn(`the process starts cold: ${error instanceof Error ? error.name : 'unknown error'}`);
    }
  }

  /** Waits for the lists as long as the warm-up may last. False if they are not loaded by then. */
  private waitForLists(): Promise<boolean> {
    const { signal } = this.stopController;
    return Promise.race([
      this.searchIndex.waitUntilLoaded().then(() => true),
      sleep(this.settings.warmUpMs, false, { ref: false, signal }).catch(() => false),
    ]);
  }

  private get isOver(): boolean {
    if (this.stopController.signal.aborted || this.batcher.isUsed || this.pipeline.fromQueue > 0) return true;
    return this.madeCount >= MAX_TRANSACTIONS || performance.now() >= this.endsAt;
  }

  private async acceptBatches(client: ClientPrincipal): Promise<void> {
    for (let batches = 0; !this.isOver; batches += 1) {
      const size = BATCH_SIZES[batches % BATCH_SIZES.length] ?? 1;
      this.madeCount += size;
      await this.madeUpIntake.accept(client, size, async (held) => {
        const evidence = await this.factCollector.collectForDryRun(held);
        const evaluated = await this.evaluator.evaluate(held, evidence, (transaction) =>
          firstEvaluationTrigger(finalEventSequence(transaction)),
        );
        return this.writer.compose(evaluated);
      });
    }
  }
}
