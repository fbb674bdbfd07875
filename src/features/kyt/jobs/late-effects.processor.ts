import { Process, Processor } from '@nestjs/bull';
import type { Job } from 'bull';
import type { Tx } from '../../../platform/database/index.js';
import type { DurableProcessor, JobPayload, Unfinished } from '../../../platform/queue/index.js';
import { LateEffects } from '../late/late-effects.service.js';
import { LateJudge } from '../late/late-judge.service.js';

@Processor('kyt.late-effects')
export class LateEffectsProcessor implements DurableProcessor {
  constructor(
    private readonly effects: LateEffects,
    private readonly judge: LateJudge,
  ) {}

  /** Does both, because a transaction can be late and affected by a later one. */
  @Process({ concurrency: 1 })
  async run(job: Job<JobPayload>): Promise<void> {
    await this.effects.find(job.data.refs);
    await this.judge.judge(job.data.refs);
  }

  unfinished(tx: Tx, which: Unfinished): Promise<readonly string[]> {
    return this.effects.unfinished(tx, which);
  }
}
