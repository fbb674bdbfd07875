import { Process, Processor } from '@nestjs/bull';
import type { Tx } from '../../../platform/database/index.js';
import type { DurableProcessor, UnfinishedScope } from '../../../platform/queue/index.js';
import { ExportRunnerService } from '../exports/export-runner.service.js';
import { ExportRepository } from '../store/export.repository.js';

@Processor('audit.exports')
export class ExportProcessor implements DurableProcessor {
  constructor(
    private readonly runner: ExportRunnerService,
    private readonly exports: ExportRepository,
  ) {}

  // A job names no export: the runner picks one, so that organisations take turns. Two run at a time per process, so
  // that a long export of one organisation does not delay the others.
  @Process({ concurrency: 2 })
  async run(): Promise<void> {
    await this.runner.runAll();
  }

  findUnfinished(tx: Tx, which: UnfinishedScope): Promise<readonly string[]> {
    return this.exports.requeueUnfinished(tx, which);
  }
}
