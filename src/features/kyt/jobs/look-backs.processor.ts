import { Process, Processor } from '@nestjs/bull';
import type { Tx } from '../../../platform/database/index.js';
import type { DurableProcessor, UnfinishedScope } from '../../../platform/queue/index.js';
import { LookBackRunnerService } from '../look-backs/look-back-runner.service.js';
import { LookBackRepository } from '../store/work/look-back.repository.js';

@Processor('kyt.look-backs')
export class LookBacksProcessor implements DurableProcessor {
  constructor(
    private readonly runner: LookBackRunnerService,
    private readonly lookBacks: LookBackRepository,
  ) {}

  // A job carries no ids: `runAll` claims the next look-back, in turns among organisations. Two run at a time, so that
  // a long one does not hold up other organisations.
  @Process({ concurrency: 2 })
  async run(): Promise<void> {
    await this.runner.runAll();
  }

  findUnfinished(tx: Tx, which: UnfinishedScope): Promise<readonly string[]> {
    return this.lookBacks.requeueUnfinished(tx, which);
  }
}
