import { Process, Processor } from '@nestjs/bull';
import type { Tx } from '../../../platform/database/index.js';
import type { DurableProcessor, UnfinishedScope } from '../../../platform/queue/index.js';
import { HouseBackfillService } from '../house/house-backfill.service.js';
import { HouseBackfillRepository } from '../store/work/house-backfill.repository.js';

@Processor('kyt.house-backfill')
export class HouseBackfillProcessor implements DurableProcessor {
  constructor(
    private readonly backfill: HouseBackfillService,
    private readonly backfills: HouseBackfillRepository,
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
