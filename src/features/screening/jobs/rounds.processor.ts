import { Process, Processor } from '@nestjs/bull';
import type { Tx } from '../../../platform/database/index.js';
import type { DurableProcessor, UnfinishedScope } from '../../../platform/queue/index.js';
import { ScreeningRoundsService } from '../hits/screening-rounds.service.js';
import { RoundRepository } from '../store/round.repository.js';

@Processor('screening.rounds')
export class RoundsProcessor implements DurableProcessor {
  constructor(
    private readonly screeningRounds: ScreeningRoundsService,
    private readonly rounds: RoundRepository,
  ) {}

  // A job carries no ids: `runAll` claims the next round, in turns among organisations.
  @Process({ concurrency: 1 })
  async run(): Promise<void> {
    await this.screeningRounds.runAll();
  }

  findUnfinished(tx: Tx, which: UnfinishedScope): Promise<readonly string[]> {
    return this.rounds.requeueUnfinished(tx, which);
  }
}
