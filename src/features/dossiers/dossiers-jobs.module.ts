import { Module } from '@nestjs/common';
import { DossiersModule } from './dossiers.module.js';
import { CoafProcessor } from './jobs/coaf.processor.js';

/** The background half of Dossiers: only processes that work on queues have it. */
@Module({
  imports: [DossiersModule],
  providers: [CoafProcessor],
})
export class DossiersJobsModule {}
