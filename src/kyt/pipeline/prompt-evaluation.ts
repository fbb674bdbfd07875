import { Injectable, Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import { Settings } from '../../config/index.js';
import { Batcher } from '../../kernel/index.js';
import { DecisionWaits, type PromptEvaluator } from '../ingest/decision-waits.js';
import { PipelineService } from './pipeline.service.js';

// Those that come while one is under way share the cost of the next.
const MAX_IN_FLIGHT = 1;
const MAX_ITEMS = 250;
// Beyond these the queue is quicker, which may have idle workers elsewhere.
const MAX_WAITING = 500;

/**
 * Evaluates in this process what a caller waits for. No job is stored with it: if this process dies, the reconciler
 * finds it when it is due, as it finds whatever has lost its job.
 */
@Injectable()
export class PromptEvaluation implements PromptEvaluator, BeforeApplicationShutdown {
  private readonly logger = new Logger(PromptEvaluation.name);
  private readonly underWay = new Set<Promise<string>>();
  private readonly batcher = new Batcher<string, string>((refs) => this.advance(refs), {
    maxInFlight: MAX_IN_FLIGHT,
    maxItems: MAX_ITEMS,
  });
  private stopping = false;

  constructor(
    private readonly pipeline: PipelineService,
    settings: Settings,
    waits: DecisionWaits,
  ) {
    // Without the lists in memory it would say that nobody was screened, where a worker can say whom they name.
    if (settings.screeningIndex) waits.evaluateWith(this);
  }

  get hasRoom(): boolean {
    return !this.stopping && this.batcher.waiting < MAX_WAITING;
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    await Promise.all(this.underWay);
  }

  take(ref: string): Promise<string> {
    const taken = this.batcher.submit(ref).finally(() => this.underWay.delete(taken));
    this.underWay.add(taken);
    return taken;
  }

  private async advance(refs: readonly string[]): Promise<readonly string[]> {
    try {
      if (!this.stopping) await this.pipeline.advance(refs);
    } catch (error) {
      this.logger.warn(
        `${refs.length} left to the reconciler: ${error instanceof Error ? error.name : 'unknown error'}`,
      );
    }
    return refs;
  }
}
