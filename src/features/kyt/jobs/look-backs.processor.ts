import { Process, Processor } from '@nestjs/bull';
import type { Tx } from '../../../platform/database/index.js';
import type { DurableProcessor, Unfinished } from '../../../platform/queue/index.js';
import { LookBackRunnerService } from '../look-backs/look-back-runner.service.js';
import { LookBackRepository } from '../store/work/look-back.repository.js';

@Processor('kyt.look-backs')
export class LookBacksProcessor implements DurableProcessor {
  constructor(
    private readonly runner: LookBackRunnerService,
    private readonly lookBacks: LookBackRepository,
  ) {}

  // A job says only that look-backs wait; fair turns choose the next one. A process runs two at a time, so that a long
  // one of one organisation holds up no other organisation.
  @Process({ concurrency: 2 })
  async run(): Promise<void> {
    await this.runner.runAll();
  }

  unfinished(tx: Tx, which: Unfinished): Promise<readonly string[]> {
    return this.lookBacks.takeWaiting(tx, which);
  }
}
