import { Injectable, Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import { Settings } from '../../config/index.js';
import { Batcher } from '../../kernel/index.js';
import { DecisionWaits } from '../ingest/decision-waits.js';
import { PipelineService } from './pipeline.service.js';

const MAX_IN_FLIGHT = 2;
const MAX_ITEMS = 250;
// Beyond these the queue is quicker, which may have idle workers elsewhere.
const MAX_WAITING = 500;

/**
 * Evaluates in this process, before its job comes, what a caller waits for. The job that was stored with it then finds
 * nothing to do; and everything to do if this process dies, or Redis is not there to carry the job.
 */
@Injectable()
export class PromptEvaluation implements BeforeApplicationShutdown {
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
    if (settings.screeningIndex) {
      waits.onStored((ref) => {
        this.take(ref);
      });
    }
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    await Promise.all(this.underWay);
  }

  private take(ref: string): void {
    if (this.stopping || this.batcher.waiting >= MAX_WAITING) return;
    const taken = this.batcher.submit(ref).finally(() => this.underWay.delete(taken));
    this.underWay.add(taken);
  }

  private async advance(refs: readonly string[]): Promise<readonly string[]> {
    try {
      if (!this.stopping) await this.pipeline.advance(refs);
    } catch (error) {
      this.logger.warn(
        `${refs.length} left to the queue: ${error instanceof Error ? error.name : 'unknown error'}`,
      );
    }
    return refs;
  }
}
