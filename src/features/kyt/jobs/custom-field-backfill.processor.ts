import { Process, Processor } from '@nestjs/bull';
import type { Tx } from '../../../platform/database/index.js';
import type { DurableProcessor, UnfinishedScope } from '../../../platform/queue/index.js';
import { CustomFieldBackfillService } from '../custom-fields/custom-field-backfill.service.js';
import { CustomFieldBackfillRepository } from '../store/work/custom-field-backfill.repository.js';

@Processor('kyt.custom-field-backfill')
export class CustomFieldBackfillProcessor implements DurableProcessor {
  constructor(
    private readonly backfill: CustomFieldBackfillService,
    private readonly backfills: CustomFieldBackfillRepository,
  ) {}

  // A job carries no ids: `runAll` claims the next back-fill, in turns among organisations.
  @Process({ concurrency: 1 })
  async run(): Promise<void> {
    await this.backfill.runAll();
  }

  findUnfinished(tx: Tx, which: UnfinishedScope): Promise<readonly string[]> {
    return this.backfills.requeueUnfinished(tx, which);
  }
}
