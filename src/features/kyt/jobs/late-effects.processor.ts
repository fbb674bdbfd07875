import { Process, Processor } from '@nestjs/bull';
import type { Job } from 'bull';
import type { Tx } from '../../../platform/database/index.js';
import type { DurableProcessor, JobPayload, UnfinishedScope } from '../../../platform/queue/index.js';
import { LateEffectsService } from '../late/late-effects.service.js';
import { LateReEvaluationService } from '../late/late-re-evaluation.service.js';
import { KytLateEffectEntity } from '../store/entities.js';

@Processor('kyt.late-effects')
export class LateEffectsProcessor implements DurableProcessor {
  constructor(
    private readonly lateEffects: LateEffectsService,
    private readonly lateReEvaluation: LateReEvaluationService,
  ) {}

  /** Runs both steps for each id: a transaction can be late and also affected by another late transaction. */
  @Process({ concurrency: 1 })
  async run(job: Job<JobPayload>): Promise<void> {
    await this.lateEffects.findAffected(job.data.refs);
    await this.lateReEvaluation.reEvaluate(job.data.refs);
  }

  findUnfinished(tx: Tx, which: UnfinishedScope): Promise<readonly string[]> {
    return this.lateEffects.findUnfinished(tx, which);
  }

  hasPlanned(tx: Tx): Promise<boolean> {
    return tx.existsBy(KytLateEffectEntity, {});
  }
}
